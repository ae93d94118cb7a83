extension SignalProducer {
    /// Sends a value, and then the events of this producer.
    ///
    /// ```marbles
    /// source                     --1--2--|
    /// source.prefix(value: 0)    0-1--2--|
    /// ```
    ///
    /// Equivalent to `prefix` with a producer of the value: an interruption of this producer counts as completion.
    ///
    /// - Parameter value: Sent when a start begins.
    @_alwaysEmitIntoClient
    public func prefix(value: Value) -> SignalProducer {
        SignalProducer(derivedName("prefix(value:)"), of: self) {
            start, sink in
            if !start.isOver { sink.next(value) }
            // An interruption counts as completion, like that of any part of a `concat`.
            let rest = MapEndSink<Failure, _>({ if case .error = $0 { $0 } else { .completed } }, downstream: sink)
            beginWork(of: start, into: ProducerSink(erasing: rest, start))
        }
    }

    /// Sends the events of another producer and, when it has completed or been interrupted, those of this one.
    ///
    /// Like ``concat(_:)-(SignalProducer<Value,Failure>)``, in the opposite order.
    @_alwaysEmitIntoClient
    public func prefix(_ first: SignalProducer) -> SignalProducer {
        SignalProducer(
            derivedName("prefix:"), first.concat(self).work, contention: contention.joined(with: first.contention),
            isSuspendable: isSuspendable && first.isSuspendable)
    }

    /// Sends the events of another stream and, when it has completed or been interrupted, those of this producer.
    ///
    /// - Parameter first: A producer or a signal.
    @_alwaysEmitIntoClient
    public func prefix(_ first: some SignalProducerConvertible<Value, Failure>) -> SignalProducer {
        prefix(first.producer)
    }
}
