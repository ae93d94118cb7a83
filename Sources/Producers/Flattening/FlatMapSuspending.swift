extension SignalProducer {
    /// Transforms each value into an inner stream, and combines the inner streams. Suspends the source while too many
    /// of them wait.
    ///
    /// Like ``flatMap(_:raising:_:)-3h0h0``, but nothing is dropped, and nothing but what the strategy names waits. The
    /// values of an ordered strategy are the exception: see ``FlattenStrategy/Suspending``.
    ///
    /// - Parameters:
    ///   - strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be suspended.
    ///   - transform: Called with each value, on its sender's thread. Returns a producer, a signal or a property.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy.Suspending, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened("flatMap:", strategy, outer: { $0 }, inner: { $0 }, transform)
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload that suspends the source,
    /// for inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be suspended.
    ///   - transform: Called with each value, on its sender's thread.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy.Suspending, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Never {
        flattened("flatMap:", strategy, outer: { $0 }, inner: { $0.promoted() }, transform)
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload that suspends the source,
    /// for an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be suspended.
    ///   - transform: Called with each value, on its sender's thread.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy.Suspending, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> where Failure == Never {
        flattened("flatMap:", strategy, outer: { $0.promoted() }, inner: { $0 }, transform)
    }
}
