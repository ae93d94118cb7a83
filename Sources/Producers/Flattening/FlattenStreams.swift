// FlatMap.swift explains the overloads.

extension Signal where Value: SignalProducerConvertible {
    /// Combines the inner streams that this stream sends as its values.
    ///
    /// An error, of the outer stream or of an inner one, ends the result immediately and disposes of the inner streams.
    /// So does an interruption of the outer stream.
    ///
    /// - Parameters:
    ///   - strategy: What happens to an inner stream that arrives while another one is running: see
    ///     ``FlattenStrategy``.
    ///   - error: Sent as soon as one more inner stream arrives than the strategy allows, if the strategy's
    ///     ``/HotSignals/Overflow`` is `.fail`. Such a strategy traps without an error.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Failure? = nil
    ) -> Signal<Value.Value, Failure> where Value.Failure == Failure {
        flattened("flatten:", strategy, raising: error, outer: { $0 }, inner: { $0 }, { $0 })
    }

    /// Combines the inner streams that this stream sends as its values. Overload for inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Failure? = nil
    ) -> Signal<Value.Value, Failure> where Value.Failure == Never {
        flattened("flatten:", strategy, raising: error, outer: { $0 }, inner: { $0.promoted() }, { $0 })
    }

    /// Combines the inner streams that this stream sends as its values. Overload for an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Value.Failure? = nil
    ) -> Signal<Value.Value, Value.Failure> where Failure == Never {
        flattened("flatten:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0 }, { $0 })
    }

    /// Combines the inner streams that this stream sends as its values. Overload for streams none of which can fail,
    /// except if more inner streams arrive than the strategy allows.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten<NewFailure: Error>(
        _ strategy: FlattenStrategy, raising error: NewFailure
    ) -> Signal<Value.Value, NewFailure> where Failure == Never, Value.Failure == Never {
        flattened("flatten:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0.promoted() }, { $0 })
    }
}

extension SignalProducer where Value: SignalProducerConvertible {
    /// Combines the inner streams that this stream sends as its values.
    ///
    /// An error, of the outer stream or of an inner one, ends the result immediately and disposes of the inner streams.
    /// So does an interruption of the outer stream.
    ///
    /// - Parameters:
    ///   - strategy: What happens to an inner stream that arrives while another one is running: see
    ///     ``FlattenStrategy``.
    ///   - error: Sent as soon as one more inner stream arrives than the strategy allows, if the strategy's
    ///     ``/HotSignals/Overflow`` is `.fail`. Such a strategy traps without an error.
    @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Failure? = nil
    ) -> SignalProducer<Value.Value, Failure> where Value.Failure == Failure {
        flattened("flatten:", strategy, raising: error, outer: { $0 }, inner: { $0 }, { $0 })
    }

    /// Combines the inner streams that this stream sends as its values. Overload for inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Failure? = nil
    ) -> SignalProducer<Value.Value, Failure> where Value.Failure == Never {
        flattened("flatten:", strategy, raising: error, outer: { $0 }, inner: { $0.promoted() }, { $0 })
    }

    /// Combines the inner streams that this stream sends as its values. Overload for an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatten(
        _ strategy: FlattenStrategy, raising error: Value.Failure? = nil
    ) -> SignalProducer<Value.Value, Value.Failure> where Failure == Never {
        flattened("flatten:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0 }, { $0 })
    }

    /// Combines the inner streams that this stream sends as its values. Overload for streams none of which can fail,
    /// except if more inner streams arrive than the strategy allows.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    @_alwaysEmitIntoClient
    public func flatten<NewFailure: Error>(
        _ strategy: FlattenStrategy, raising error: NewFailure
    ) -> SignalProducer<Value.Value, NewFailure> where Failure == Never, Value.Failure == Never {
        flattened("flatten:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0.promoted() }, { $0 })
    }
}
