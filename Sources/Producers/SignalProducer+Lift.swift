extension SignalProducer {
    /// Applies an operator on signals to the signal of each start.
    ///
    /// - Parameter transform: Called once per start, before the work begins. When the signal that it returns ends, the
    ///   work is cancelled.
    @_alwaysEmitIntoClient
    public func lift<NewValue, NewFailure>(
        _ transform: @escaping @Sendable (Signal<Value, Failure>) -> Signal<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        SignalProducer<NewValue, NewFailure>(derivedName("lift:"), contention: contention) { result, sink in
            let start = PreparedStart(self, Start(sourceOf: result))
            transform(start.signal).lead(into: sink)
            start.begin()
        }
    }

    /// Applies an operator on two signals to the signals of a start of each producer.
    ///
    /// Both signals are observed before any work begins. The argument's work begins first, then this producer's, so
    /// values that the argument sends immediately come first.
    @_alwaysEmitIntoClient
    public func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>) -> (Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> (SignalProducer<Other, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
        { other in
            SignalProducer<NewValue, NewFailure>(
                derivedName("lift:"), contention: contention.joined(with: other.contention)
            ) { result, sink in
                let start = PreparedStart(self, Start(sourceOf: result))
                let otherStart = PreparedStart(other, Start(sourceOf: result))
                transform(start.signal)(otherStart.signal).lead(into: sink)
                start.releaseIfObserved()
                otherStart.releaseIfObserved()
                otherStart.begin()
                start.begin()
            }
        }
    }

    /// Applies an operator on two signals to the signal of each start and a signal.
    @_alwaysEmitIntoClient
    public func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>) -> (Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> (Signal<Other, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
        { other in lift { transform($0)(other) } }
    }
}

extension Signal {
    /// Makes this signal, which is derived from starts of its sources, the head of the start of the result.
    @usableFromInline
    func lead(into sink: ProducerSink<Value, Failure>) {
        // The user's operators may go on sending when the start has been disposed of.
        let head = core.deriveHead(WantedSink(downstream: sink))
        head.observeUpstream(core)
        sink.start.attach(head)
    }
}
