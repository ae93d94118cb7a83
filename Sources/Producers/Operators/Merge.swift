extension SignalProducer {
    /// Sends the values of all producers as they arrive.
    ///
    /// Completes when all producers have completed. A producer that is interrupted counts as completed. Fails
    /// immediately when one of them fails, and disposes of the others. The work begins in the order of the arguments.
    /// Without producers, completes immediately.
    @inlinable
    public static func merge(_ producers: SignalProducer...) -> SignalProducer {
        joining(
            "+merge:", producers, .merge, OperatorInputs(producers.map { $0.streamName }),
            contention: producers.lazy.map { $0.contention }.joined())
    }

    /// Sends the values of all producers of a sequence as they arrive: see
    /// ``merge(_:)-(SignalProducer<Value,Failure>...)``.
    @inlinable
    public static func merge<S: Sequence & Sendable>(_ producers: S) -> SignalProducer
    where S.Element: SignalProducerConvertible<Value, Failure> {
        joining("+merge:", producers, .merge)
    }

    /// Sends the values of both producers as they arrive: see ``merge(_:)-(SignalProducer<Value,Failure>...)``.
    @inlinable
    public func merge(with other: SignalProducer) -> SignalProducer { .merge(self, other) }

    /// Sends the values of this producer and another stream as they arrive: see
    /// ``merge(_:)-(SignalProducer<Value,Failure>...)``.
    @inlinable
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
    ///
    /// - Parameter inputs: The names of the streams, if they are known without iterating.
    @inlinable
    static func joining<S: Sequence & Sendable>(
        _ name: StaticString, _ streams: S, _ strategy: FlattenStrategy, _ inputs: OperatorInputs? = nil,
        contention: Contention = .wait
    ) -> SignalProducer where S.Element: SignalProducerConvertible<Value, Failure> {
        let flattened = SignalProducer<S.Element, Failure>(streams).flatten(strategy)
        return SignalProducer(StreamName(name, parent: inputs), flattened.work, contention: contention)
    }
}
