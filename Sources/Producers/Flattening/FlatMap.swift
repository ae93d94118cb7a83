// The overloads differ in which of the streams can fail. If neither can, the compiler chooses the first one, because
// the others are disfavored. If all were equal, it would try every combination of the overloads of a chain, and give up
// on a chain of six.
//
// The overloads for leading-dot syntax have the same parameters as the others. Otherwise the compiler could not tell
// which overload a wrong closure was meant for, and would not explain the mistake.

extension Signal {
    /// Transforms each value into an inner stream, and combines the inner streams.
    ///
    /// ```marbles
    /// source                                   --1--2---------|
    /// cold inner                               a----b|
    /// source.flatMap(.merge) { _ in inner }    --a--a-b--b----|
    /// ```
    ///
    /// The strategy determines what happens to an inner stream that arrives while another one is running. An error, of
    /// the outer stream or of an inner one, ends the result immediately and disposes of the inner streams. So does an
    /// interruption of the outer stream.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent as soon as one more inner stream arrives than the strategy allows, if the strategy's
    ///     ``/HotSignals/Overflow`` is `.fail`. Such a strategy traps without an error.
    ///   - transform: Called with each value, on its sender's thread. Returns a producer, a signal or a property.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened("flatMap:", strategy, raising: error, outer: { $0 }, inner: { $0 }, transform)
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for inner streams that
    /// cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Never {
        flattened("flatMap:", strategy, raising: error, outer: { $0 }, inner: { $0.promoted() }, transform)
    }

    /// Transforms each value into a result, and sends its value or fails with its error.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``. Results are available immediately, so it makes no difference except for
    ///     `.race`.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
    ) -> Signal<NewValue, Failure> {
        flatMap(strategy) { SignalProducer<NewValue, Failure>(result: transform($0)) }
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, raising error: Failure? = nil,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
    ) -> Signal<NewValue, Failure> {
        flattened("flatMap:", strategy, raising: error, outer: { $0 }, inner: { $0 }, transform)
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for an outer stream that
    /// cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Inner.Failure? = nil,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> where Failure == Never {
        flattened("flatMap:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0 }, transform)
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for streams none of which
    /// can fail, except if more inner streams arrive than the strategy allows.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible, NewFailure: Error>(
        _ strategy: FlattenStrategy, raising error: NewFailure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, NewFailure> where Failure == Never, Inner.Failure == Never {
        flattened("flatMap:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0.promoted() }, transform)
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable, NewFailure>(
        _ strategy: FlattenStrategy, raising error: NewFailure? = nil,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
    ) -> Signal<NewValue, NewFailure> where Failure == Never {
        flattened("flatMap:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0 }, transform)
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
    ) -> Signal<NewValue, Never> where Failure == Never {
        flattened("flatMap:", strategy, outer: { $0 }, inner: { $0 }, transform)
    }
}

extension SignalProducer {
    /// Transforms each value into an inner stream, and combines the inner streams.
    ///
    /// ```marbles
    /// source                                   --1--2---------|
    /// cold inner                               a----b|
    /// source.flatMap(.merge) { _ in inner }    --a--a-b--b----|
    /// ```
    ///
    /// The strategy determines what happens to an inner stream that arrives while another one is running. An error, of
    /// the outer stream or of an inner one, ends the result immediately and disposes of the inner streams. So does an
    /// interruption of the outer stream.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent as soon as one more inner stream arrives than the strategy allows, if the strategy's
    ///     ``/HotSignals/Overflow`` is `.fail`. Such a strategy traps without an error.
    ///   - transform: Called with each value, on its sender's thread. Returns a producer, a signal or a property.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened("flatMap:", strategy, raising: error, outer: { $0 }, inner: { $0 }, transform)
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for inner streams that
    /// cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Never {
        flattened("flatMap:", strategy, raising: error, outer: { $0 }, inner: { $0.promoted() }, transform)
    }

    /// Transforms each value into a result, and sends its value or fails with its error.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``. Results are available immediately, so it makes no difference except for
    ///     `.race`.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        flatMap(strategy) { SignalProducer<NewValue, Failure>(result: transform($0)) }
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, raising error: Failure? = nil,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        flattened("flatMap:", strategy, raising: error, outer: { $0 }, inner: { $0 }, transform)
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for an outer stream that
    /// cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Inner.Failure? = nil,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> where Failure == Never {
        flattened("flatMap:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0 }, transform)
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for streams none of which
    /// can fail, except if more inner streams arrive than the strategy allows.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - error: Sent when one more inner stream arrives than the strategy allows.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible, NewFailure: Error>(
        _ strategy: FlattenStrategy, raising error: NewFailure, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, NewFailure> where Failure == Never, Inner.Failure == Never {
        flattened("flatMap:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0.promoted() }, transform)
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable, NewFailure>(
        _ strategy: FlattenStrategy, raising error: NewFailure? = nil,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> where Failure == Never {
        flattened("flatMap:", strategy, raising: error, outer: { $0.promoted() }, inner: { $0 }, transform)
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
    ) -> SignalProducer<NewValue, Never> where Failure == Never {
        flattened("flatMap:", strategy, outer: { $0 }, inner: { $0 }, transform)
    }
}
