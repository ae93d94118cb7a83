extension Signal where Value: SignalProducerConvertible, Value.Failure == Failure {
    /// Combines the inner streams that this stream sends as its values. Fails when more inner streams wait than the
    /// strategy allows.
    ///
    /// Like `flatten(_:)`, but for a strategy whose ``/HotSignals/Overflow`` is `.fail`. Other strategies do not use
    /// the error. It is sent immediately, and disposes of all inner streams.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Failure
    ) -> Signal<Value.Value, Failure> {
        flattened("flatten:", strategy, raising: error) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }
}

extension Signal where Value: SignalProducerConvertible, Value.Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload with an overflow error for
    /// inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Failure
    ) -> Signal<Value.Value, Failure> {
        flattened("flatten:", strategy, raising: error) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0.promoted()
        }
    }
}

extension Signal where Value: SignalProducerConvertible, Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload with an overflow error for
    /// an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Value.Failure
    ) -> Signal<Value.Value, Value.Failure> {
        flattened("flatten:", strategy, raising: error) {
            $0.producer
        } outer: {
            $0.promoted()
        } inner: {
            $0
        }
    }
}

extension Signal where Value: SignalProducerConvertible, Value.Failure == Never, Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload with an overflow error for
    /// streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten<NewFailure: Error>(
        _ strategy: FlattenStrategy, raising error: NewFailure
    ) -> Signal<Value.Value, NewFailure> {
        flattened("flatten:", strategy, raising: error) {
            $0.producer
        } outer: {
            $0.promoted()
        } inner: {
            $0.promoted()
        }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Failure {
    /// Combines the inner streams that this stream sends as its values. Fails when more inner streams wait than the
    /// strategy allows.
    ///
    /// Like `flatten(_:)`, but for a strategy whose ``/HotSignals/Overflow`` is `.fail`. Other strategies do not use
    /// the error. It is sent immediately, and disposes of all inner streams.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Failure
    ) -> SignalProducer<Value.Value, Failure> {
        flattened("flatten:", strategy, raising: error) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload with an overflow error for
    /// inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Failure
    ) -> SignalProducer<Value.Value, Failure> {
        flattened("flatten:", strategy, raising: error) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0.promoted()
        }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload with an overflow error for
    /// an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Value.Failure
    ) -> SignalProducer<Value.Value, Value.Failure> {
        flattened("flatten:", strategy, raising: error) {
            $0.producer
        } outer: {
            $0.promoted()
        } inner: {
            $0
        }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Never, Failure == Never {
    /// Combines the inner streams that this stream sends as its values. Overload with an overflow error for
    /// streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten<NewFailure: Error>(
        _ strategy: FlattenStrategy, raising error: NewFailure
    ) -> SignalProducer<Value.Value, NewFailure> {
        flattened("flatten:", strategy, raising: error) {
            $0.producer
        } outer: {
            $0.promoted()
        } inner: {
            $0.promoted()
        }
    }
}
