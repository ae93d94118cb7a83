import HotSignals

extension Signal {
    /// Flattens the inner streams that `transform` returns for the values.
    ///
    /// - Parameter overflowError: What a strategy with the overflow `.fail` fails with. Without it, such a strategy
    ///   traps.
    @_alwaysEmitIntoClient
    func flattened<Inner: SignalProducerConvertible, NewFailure>(
        _ name: StaticString, _ strategy: FlattenStrategy, raising overflowError: NewFailure? = nil,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<Inner.Failure>) -> Termination<NewFailure>,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, NewFailure> {
        derive(
            name,
            headed: OuterSink.making(name, strategy, raising: overflowError, outer: outer, inner: inner) {
                transform($0).producer
            })
    }
}

extension SignalProducer {
    /// Flattens the inner streams that `transform` returns for the values.
    ///
    /// - Parameter overflowError: What a strategy with the overflow `.fail` fails with. Without it, such a strategy
    ///   traps.
    @_alwaysEmitIntoClient
    func flattened<Inner: SignalProducerConvertible, NewFailure>(
        _ name: StaticString, _ strategy: FlattenStrategy, raising overflowError: NewFailure? = nil,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<Inner.Failure>) -> Termination<NewFailure>,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, NewFailure> {
        derive(
            name,
            headed: OuterSink.making(name, strategy, raising: overflowError, outer: outer, inner: inner) {
                transform($0).producer
            })
    }

    /// Flattens the inner streams that `transform` returns for the values, and suspends the source while too many wait.
    @_alwaysEmitIntoClient
    func flattened<Inner: SignalProducerConvertible, NewFailure>(
        _ operation: StaticString, _ strategy: FlattenStrategy.Suspending,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<Inner.Failure>) -> Termination<NewFailure>,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, NewFailure> {
        strategy.require(isSuspendable: isSuspendable, for: operation)
        return derive(operation, passesSuspension: true) { core in
            let flattening = Flattening(
                core: core, strategy: strategy.strategy, raising: nil, room: strategy.room(downstream: core.senders),
                promote: inner)
            return OuterSink(flattening, transform: { transform($0).producer }, promote: outer)
        }
    }
}
