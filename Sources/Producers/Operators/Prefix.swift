extension SignalProducer {
    /// Sends a value, and then what this producer sends.
    ///
    ///     source              --1--2--|
    ///     prefix(value: 0)    0--1--2--|
    ///
    /// - Parameter value: Sent when a start begins.
    @inlinable
    public func prefix(value: Value) -> SignalProducer {
        SignalProducer(derivedName("prefix(value:)")) { run, sink in
            if !run.isOver { sink.next(value) }
            begin(run, sink)
        }
    }

    /// Sends the events of another producer, and when it has completed or been interrupted those of this one.
    ///
    /// Like ``concat(_:)-(SignalProducerConvertible)``, the other way round.
    ///
    /// - Parameter first: A producer, or a signal.
    @inlinable
    public func prefix(_ first: some SignalProducerConvertible<Value, Failure>) -> SignalProducer {
        let concatenation = first.producer.concat(self)
        return SignalProducer(derivedName("prefix:"), concatenation.work)
    }
}
