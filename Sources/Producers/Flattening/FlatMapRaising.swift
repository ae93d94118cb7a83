extension Signal {
    /// Transforms each value into an inner stream, and combines the inner streams. Fails when more inner streams wait
    /// than the strategy allows.
    ///
    /// Like `flatMap(_:_:)`, but for a strategy whose ``/HotSignals/Overflow`` is `.fail`. Other strategies do not use
    /// the error. It is sent immediately, and disposes of all inner streams.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread. Returns a producer, a signal or a property.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened("flatMap:", strategy, raising: error) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload with an overflow error for
    /// inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Never {
        flattened("flatMap:", strategy, raising: error) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0.promoted()
        }
    }
}

extension Signal where Failure == Never {
    /// Transforms each value into an inner stream, and combines the inner streams. Overload with an overflow error for
    /// an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Inner.Failure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> {
        flattened("flatMap:", strategy, raising: error) {
            transform($0).producer
        } outer: {
            $0.promoted()
        } inner: {
            $0
        }
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload with an overflow error for
    /// streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible, NewFailure: Error>(
        _ strategy: FlattenStrategy, raising error: NewFailure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, NewFailure> where Inner.Failure == Never {
        flattened("flatMap:", strategy, raising: error) {
            transform($0).producer
        } outer: {
            $0.promoted()
        } inner: {
            $0.promoted()
        }
    }
}

extension SignalProducer {
    /// Transforms each value into an inner stream, and combines the inner streams. Fails when more inner streams wait
    /// than the strategy allows.
    ///
    /// Like `flatMap(_:_:)`, but for a strategy whose ``/HotSignals/Overflow`` is `.fail`. Other strategies do not use
    /// the error. It is sent immediately, and disposes of all inner streams.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread. Returns a producer, a signal or a property.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened("flatMap:", strategy, raising: error) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload with an overflow error for
    /// inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Never {
        flattened("flatMap:", strategy, raising: error) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0.promoted()
        }
    }
}

extension SignalProducer where Failure == Never {
    /// Transforms each value into an inner stream, and combines the inner streams. Overload with an overflow error for
    /// an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Inner.Failure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> {
        flattened("flatMap:", strategy, raising: error) {
            transform($0).producer
        } outer: {
            $0.promoted()
        } inner: {
            $0
        }
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload with an overflow error for
    /// streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible, NewFailure: Error>(
        _ strategy: FlattenStrategy, raising error: NewFailure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, NewFailure> where Inner.Failure == Never {
        flattened("flatMap:", strategy, raising: error) {
            transform($0).producer
        } outer: {
            $0.promoted()
        } inner: {
            $0.promoted()
        }
    }
}
