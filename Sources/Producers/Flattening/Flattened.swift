import HotSignals

extension Signal {
    /// Flattens the inner streams that `transform` returns for the values.
    ///
    /// - Parameter overflowError: What a strategy with the overflow `.fail` fails with. Without it, such a strategy
    ///   traps.
    @inlinable
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
    @inlinable
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
}
