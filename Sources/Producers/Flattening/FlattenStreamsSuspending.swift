extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Failure {
    /// Combines the inner streams that this stream sends as its values. Suspends the source while too many of them
    /// wait.
    ///
    /// Like ``flatten(_:)-9v4un``, but nothing is dropped, and nothing but what the strategy names waits. The values of
    /// an ordered strategy are the exception: see ``FlattenStrategy/Suspending``.
    ///
    /// - Parameter strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be
    ///   suspended.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy.Suspending) -> SignalProducer<Value.Value, Failure> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload that suspends the source, for inner
    /// streams that cannot fail.
    ///
    /// - Parameter strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be
    ///   suspended.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy.Suspending) -> SignalProducer<Value.Value, Failure> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0.promoted()
        }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload that suspends the source, for an outer
    /// stream that cannot fail.
    ///
    /// - Parameter strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be
    ///   suspended.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy.Suspending) -> SignalProducer<Value.Value, Value.Failure> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0.promoted()
        } inner: {
            $0
        }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Never, Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload that suspends the source, for streams
    /// that cannot fail.
    ///
    /// - Parameter strategy: Such as `.concat(waiting: 4, whenFull: .suspend)`. Traps if the source cannot be
    ///   suspended.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy.Suspending) -> SignalProducer<Value.Value, Never> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }
}
