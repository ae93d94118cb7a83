extension Signal {
    /// Makes a stream of each value, and sends what all of them send.
    ///
    ///     source                     --1-----2------|
    ///     flatMap(.merge, letters)   --a--b--ab------|
    ///
    /// What happens to one that comes while others are at work is up to the strategy. An error, of the outer stream or of an inner
    /// one, ends the result at once and disposes of the inner work; so does an interruption of the outer stream.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread. It returns a producer, a signal or a property.
    @inlinable
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

    /// Makes a stream of each value, and sends what all of them send: a form for inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @inlinable
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

    /// Makes a result of each value, and sends its value or fails with its error.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``. As a result is there at once, it makes no difference but for `.race`.
    ///   - transform: Called with each value, on its sender's thread.
    @inlinable
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
    ) -> Signal<NewValue, Failure> {
        flatMap(strategy) { SignalProducer<NewValue, Failure>(result: transform($0)) }
    }

    /// A form in which a leading dot is enough: `return .empty`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
    ) -> Signal<NewValue, Failure> {
        flatMap(strategy, transform)
    }
}

extension Signal where Failure == Never {
    /// Makes a stream of each value, and sends what all of them send: a form for an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @inlinable
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

    /// Makes a stream of each value, and sends what all of them send: a form for streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @inlinable
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

    /// A form in which a leading dot is enough: `return .empty`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func flatMap<NewValue: Sendable, NewFailure>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
    ) -> Signal<NewValue, NewFailure> {
        flatMap(strategy, transform)
    }

    /// A form in which a leading dot is enough: `return .empty`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
    ) -> Signal<NewValue, Never> {
        flatMap(strategy, transform)
    }
}

extension SignalProducer {
    /// Makes a stream of each value, and sends what all of them send.
    ///
    ///     source                     --1-----2------|
    ///     flatMap(.merge, letters)   --a--b--ab------|
    ///
    /// What happens to one that comes while others are at work is up to the strategy. An error, of the outer stream or of an inner
    /// one, ends the result at once and disposes of the inner work; so does an interruption of the outer stream.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread. It returns a producer, a signal or a property.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Failure {
        lift("flatMap:", .working) { $0.flatMap(strategy, transform) }
    }

    /// Makes a stream of each value, and sends what all of them send: a form for inner streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Never {
        lift("flatMap:", .working) { $0.flatMap(strategy, transform) }
    }

    /// Makes a result of each value, and sends its value or fails with its error.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``. As a result is there at once, it makes no difference but for `.race`.
    ///   - transform: Called with each value, on its sender's thread.
    @inlinable
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        flatMap(strategy) { SignalProducer<NewValue, Failure>(result: transform($0)) }
    }

    /// A form in which a leading dot is enough: `return .empty`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        flatMap(strategy, transform)
    }
}

extension SignalProducer where Failure == Never {
    /// Makes a stream of each value, and sends what all of them send: a form for an outer stream that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> {
        lift("flatMap:", .working) { $0.flatMap(strategy, transform) }
    }

    /// Makes a stream of each value, and sends what all of them send: a form for streams that cannot fail.
    ///
    /// - Parameters:
    ///   - strategy: See ``FlattenStrategy``.
    ///   - transform: Called with each value, on its sender's thread.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Failure == Never {
        lift("flatMap:", .working) { $0.flatMap(strategy, transform) }
    }

    /// A form in which a leading dot is enough: `return .empty`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func flatMap<NewValue: Sendable, NewFailure>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        flatMap(strategy, transform)
    }

    /// A form in which a leading dot is enough: `return .empty`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func flatMap<NewValue: Sendable>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
    ) -> SignalProducer<NewValue, Never> {
        flatMap(strategy, transform)
    }
}
