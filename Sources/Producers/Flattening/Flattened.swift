import HotSignals

extension Signal {
    /// Flattens the inner streams that `transform` returns for the values.
    @inlinable
    func flattened<Inner: Sendable, InnerFailure, NewFailure>(
        _ name: StaticString, _ strategy: FlattenStrategy,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<NewFailure>
    ) -> Signal<Inner, NewFailure> {
        derive(name, headed: OuterSink.making(strategy, transform, outer: outer, inner: inner))
    }
}

extension SignalProducer {
    /// Flattens the inner streams that `transform` returns for the values.
    @inlinable
    func flattened<Inner: Sendable, InnerFailure, NewFailure>(
        _ name: StaticString, _ strategy: FlattenStrategy,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<NewFailure>
    ) -> SignalProducer<Inner, NewFailure> {
        derive(name, headed: OuterSink.making(strategy, transform, outer: outer, inner: inner))
    }
}
