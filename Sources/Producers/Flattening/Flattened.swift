import HotSignals

extension Signal {
    /// Flattens the inner streams that `transform` returns for the values.
    ///
    /// - Parameter overflowError: What a strategy with the overflow `.fail` fails with. Without it, such a strategy
    ///   traps.
    @_alwaysEmitIntoClient
    func flattened<Inner: Sendable, InnerFailure, NewFailure>(
        _ name: StaticString, _ strategy: FlattenStrategy, raising overflowError: NewFailure? = nil,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<NewFailure>
    ) -> Signal<Inner, NewFailure> {
        if overflowError == nil { strategy.requireNoError(name) }
        return derive(
            name, headed: OuterSink.making(strategy, raising: overflowError, transform, outer: outer, inner: inner))
    }
}

extension SignalProducer {
    /// Flattens the inner streams that `transform` returns for the values.
    ///
    /// - Parameter overflowError: What a strategy with the overflow `.fail` fails with. Without it, such a strategy
    ///   traps.
    @_alwaysEmitIntoClient
    func flattened<Inner: Sendable, InnerFailure, NewFailure>(
        _ name: StaticString, _ strategy: FlattenStrategy, raising overflowError: NewFailure? = nil,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<NewFailure>
    ) -> SignalProducer<Inner, NewFailure> {
        if overflowError == nil { strategy.requireNoError(name) }
        return derive(
            name, headed: OuterSink.making(strategy, raising: overflowError, transform, outer: outer, inner: inner))
    }

    /// Flattens the inner streams that `transform` returns for the values, and suspends the source while too many wait.
    @_alwaysEmitIntoClient
    func flattened<Inner: Sendable, InnerFailure, NewFailure>(
        _ operation: StaticString, _ strategy: FlattenStrategy.Suspending,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<NewFailure>
    ) -> SignalProducer<Inner, NewFailure> {
        strategy.require(isSuspendable: isSuspendable, for: operation)
        let name = derivedName(operation)
        return SignalProducer<Inner, NewFailure>(name, contention: contention, isSuspendable: true) {
            subscription, downstream in
            let core = Core<Inner, NewFailure>(rootNamed: name, contention: contention)
            core.adopt(downstream)
            let flattening = Flattening(
                core: core, strategy: strategy.strategy, raising: nil,
                room: strategy.room(downstream: subscription.senders),
                downstreamSenders: subscription.senders, promote: inner)
            beginUpstream(
                of: subscription, into: OuterSink(flattening, transform: transform, promote: outer), headedBy: core)
        }
    }
}
