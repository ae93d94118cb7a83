extension SignalProducer {
    /// Sends a value, and then what this producer sends.
    ///
    ///     source              --1--2--|
    ///     prefix(value: 0)    0--1--2--|
    ///
    /// - Parameter value: Sent when a start begins.
    @inlinable
    public func prefix(value: Value) -> SignalProducer {
        SignalProducer(derivedName("prefix(value:)"), contention: contention) { run, sink in
            if !run.isOver { sink.next(value) }
            begin(run, sink)
        }
    }

    /// Sends the events of another producer, and when it has completed or been interrupted those of this one.
    ///
    /// Like ``concat(_:)-(SignalProducer<Value,Failure>)``, the other way round.
    @inlinable
    public func prefix(_ first: SignalProducer) -> SignalProducer {
        SignalProducer(
            derivedName("prefix:"), first.concat(self).work, contention: contention.joined(with: first.contention))
    }

    /// Sends the events of another stream, and when it has completed or been interrupted those of this producer.
    ///
    /// - Parameter first: A producer, or a signal.
    @inlinable
    public func prefix(_ first: some SignalProducerConvertible<Value, Failure>) -> SignalProducer {
        prefix(first.producer)
    }
}
