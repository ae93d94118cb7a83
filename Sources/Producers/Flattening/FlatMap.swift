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
    ///   - transform: Called with each value, on its sender's thread. Returns a producer, a signal or a property.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened("flatMap:", strategy) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for inner streams that
    /// cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Never {
        flattened("flatMap:", strategy) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0.promoted()
        }
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
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
    ) -> Signal<NewValue, Failure> {
        flatMap(strategy, transform)
    }
}

extension Signal where Failure == Never {
    /// Transforms each value into an inner stream, and combines the inner streams. Overload for an outer stream that
    /// cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> {
        flattened("flatMap:", strategy) {
            transform($0).producer
        } outer: {
            $0.promoted()
        } inner: {
            $0
        }
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for streams that cannot
    /// fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Never> where Inner.Failure == Never {
        flattened("flatMap:", strategy) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable, NewFailure>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
    ) -> Signal<NewValue, NewFailure> {
        flatMap(strategy, transform)
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
    ) -> Signal<NewValue, Never> {
        flatMap(strategy, transform)
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
    ///   - transform: Called with each value, on its sender's thread. Returns a producer, a signal or a property.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened("flatMap:", strategy) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for inner streams that
    /// cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Never {
        flattened("flatMap:", strategy) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0.promoted()
        }
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
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        flatMap(strategy, transform)
    }
}

extension SignalProducer where Failure == Never {
    /// Transforms each value into an inner stream, and combines the inner streams. Overload for an outer stream that
    /// cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> {
        flattened("flatMap:", strategy) {
            transform($0).producer
        } outer: {
            $0.promoted()
        } inner: {
            $0
        }
    }

    /// Transforms each value into an inner stream, and combines the inner streams. Overload for streams that cannot
    /// fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Failure == Never {
        flattened("flatMap:", strategy) {
            transform($0).producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable, NewFailure>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        flatMap(strategy, transform)
    }

    /// Accepts leading-dot syntax: `return .empty`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
    ) -> SignalProducer<NewValue, Never> {
        flatMap(strategy, transform)
    }
}
