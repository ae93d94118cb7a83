extension SignalProducer where Value: SignalProducerConvertible {
    /// Combines the inner streams that this stream sends as its values. Suspends the source while too many of them
    /// wait.
    ///
    /// Like ``flatten(_:raising:)-2t9u``, but nothing is dropped, and nothing but what the strategy names waits. The
    /// values of an ordered strategy are the exception: see ``FlattenStrategy/Suspending``.
    ///
    /// - Parameter strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be
    ///   suspended.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy.Suspending
    ) -> SignalProducer<Value.Value, Failure> where Value.Failure == Failure {
        flattened("flatten:", strategy, outer: { $0 }, inner: { $0 }, { $0 })
    }

    /// Combines the inner streams that this stream sends as its values. Overload that suspends the source, for inner
    /// streams that cannot fail.
    ///
    /// - Parameter strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be
    ///   suspended.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy.Suspending
    ) -> SignalProducer<Value.Value, Failure> where Value.Failure == Never {
        flattened("flatten:", strategy, outer: { $0 }, inner: { $0.promoted() }, { $0 })
    }

    /// Combines the inner streams that this stream sends as its values. Overload that suspends the source, for an outer
    /// stream that cannot fail.
    ///
    /// - Parameter strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be
    ///   suspended.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy.Suspending
    ) -> SignalProducer<Value.Value, Value.Failure> where Failure == Never {
        flattened("flatten:", strategy, outer: { $0.promoted() }, inner: { $0 }, { $0 })
    }
}
