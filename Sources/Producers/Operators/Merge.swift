extension SignalProducer {
    /// Sends the values of all producers as they arrive.
    ///
    /// Completes when all producers have completed. A producer that is interrupted counts as completed. Fails
    /// immediately when one of them fails, and disposes of the others. The work begins in the order of the arguments.
    /// Without producers, completes immediately.
    ///
    /// A consumer or an operator downstream that suspends its source suspends all producers, if all of them can be
    /// suspended or send one value at most. Each may still send the value that it is making.
    @_alwaysEmitIntoClient
    public static func merge(_ producers: SignalProducer...) -> SignalProducer {
        joining("+merge:", all: producers, .merge)
    }

    /// Sends the values of all producers of a sequence as they arrive: see
    /// ``merge(_:)-(SignalProducer<Value,Failure>...)``. Only the producers of an array can be suspended.
    @_alwaysEmitIntoClient
    public static func merge<S: Sequence & Sendable>(_ producers: S) -> SignalProducer
    where S.Element: SignalProducerConvertible<Value, Failure> {
        if areSuspendable(producers), let producers = producers as? [SignalProducer] {
            return joining("+merge:", all: producers, .merge)
        }
        return joining("+merge:", producers, .merge)
    }

    /// Sends the values of both producers as they arrive: see ``merge(_:)-(SignalProducer<Value,Failure>...)``.
    @_alwaysEmitIntoClient
    public func merge(with other: SignalProducer) -> SignalProducer { .merge(self, other) }

    /// Sends the values of this producer and another stream as they arrive: see
    /// ``merge(_:)-(SignalProducer<Value,Failure>...)``.
    @_alwaysEmitIntoClient
    public func merge(with other: some SignalProducerConvertible<Value, Failure>) -> SignalProducer {
        merge(with: other.producer)
    }

    /// Rejects a stream that has another error type.
    @available(
        *, unavailable, message: "the other stream fails in another way: promoteError() or mapError(_:) comes first"
    )
    @_disfavoredOverload
    public func merge<OtherFailure>(
        with other: some SignalProducerConvertible<Value, OtherFailure>
    ) -> SignalProducer { fatalError("unavailable") }

    /// Flattens the streams of a sequence.
    @_alwaysEmitIntoClient
    static func joining<S: Sequence & Sendable>(
        _ name: StaticString, _ streams: S, _ strategy: FlattenStrategy
    ) -> SignalProducer where S.Element: SignalProducerConvertible<Value, Failure> {
        let flattened = SignalProducer<S.Element, Failure>(streams).flatten(strategy)
        return SignalProducer(StreamName(name), flattened.work)
    }

    /// Flattens the producers of an array. Unlike that of a sequence, the result has the names of its inputs.
    @_alwaysEmitIntoClient
    static func joining(
        _ name: StaticString, all producers: [SignalProducer], _ strategy: FlattenStrategy
    ) -> SignalProducer {
        let name = StreamName(name, parent: OperatorInputs(producers.map { $0.streamName }))
        let contention = producers.lazy.map { $0.contention }.joined()
        let isSuspendable = areSuspendable(producers)
        return SignalProducer(name, contention: contention, isSuspendable: isSuspendable) { start, downstream in
            let core = Core.result(
                named: name, contention: contention, suspendedBy: isSuspendable ? start.senders : nil, into: downstream)
            let flattening = Flattening<Value, Failure, Failure>(
                core: core, strategy: strategy, raising: nil, promote: { $0 })
            let sink = OuterSink<SignalProducer, Never, Value, Failure, Failure>(
                flattening, transform: { $0 }, promote: { $0.promoted() })
            let outer = SignalProducer<SignalProducer, Never>(StreamName("values")) { source, sink in
                for producer in producers where !source.isOver { flattening.add(producer) }
                sink.end(.completed)
            }
            outer.beginUpstream(of: start, into: sink, headedBy: core)
        }
    }

    /// Whether all of these producers can be suspended. Only an array is asked: other sequences need not know their
    /// producers before the start, and streams of other types cannot be suspended.
    @_alwaysEmitIntoClient
    static func areSuspendable(_ streams: some Sequence) -> Bool {
        guard let producers = streams as? [SignalProducer] else { return false }
        return producers.allSatisfy { $0.isSuspendableInput }
    }

    /// Whether this producer can be suspended, or sends one value at most, as an input of an operator.
    // Not inlined: otherwise an operator copies the work.
    @_alwaysEmitIntoClient @inline(never)
    var isSuspendableInput: Bool {
        switch work {
        case .value, .ended: true
        case .handler, .chain: isSuspendable
        }
    }
}
