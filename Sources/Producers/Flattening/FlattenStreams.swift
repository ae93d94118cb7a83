extension Signal where Value: SignalProducerConvertible, Value.Failure == Failure {
    /// Sends what the streams send that are this one's values.
    ///
    /// An error, of the outer stream or of an inner one, ends the result at once and disposes of the inner work; so does an
    /// interruption of the outer stream.
    ///
    /// - Parameter strategy: What happens to one that comes while others are at work: see ``FlattenStrategy``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Failure> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }
}

extension Signal where Value: SignalProducerConvertible, Value.Failure == Never {
    /// Sends what the streams send that are this one's values and cannot fail.
    ///
    /// - Parameter strategy: What happens to one that comes while others are at work: see ``FlattenStrategy``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Failure> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0.promoted()
        }
    }
}

extension Signal where Value: SignalProducerConvertible, Failure == Never {
    /// Sends what the streams send that are this one's values, though it cannot fail itself.
    ///
    /// - Parameter strategy: What happens to one that comes while others are at work: see ``FlattenStrategy``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Value.Failure> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0.promoted()
        } inner: {
            $0
        }
    }
}

extension Signal where Value: SignalProducerConvertible, Value.Failure == Never, Failure == Never {
    /// Sends what the streams send that are this one's values, where none can fail.
    ///
    /// - Parameter strategy: What happens to one that comes while others are at work: see ``FlattenStrategy``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Never> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Failure {
    /// Sends what the streams send that are this one's values.
    ///
    /// An error, of the outer stream or of an inner one, ends the result at once and disposes of the inner work; so does an
    /// interruption of the outer stream.
    ///
    /// - Parameter strategy: What happens to one that comes while others are at work: see ``FlattenStrategy``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Failure> {
        lift("flatten:", .working) { $0.flatten(strategy) }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Never {
    /// Sends what the streams send that are this one's values and cannot fail.
    ///
    /// - Parameter strategy: What happens to one that comes while others are at work: see ``FlattenStrategy``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Failure> {
        lift("flatten:", .working) { $0.flatten(strategy) }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Failure == Never {
    /// Sends what the streams send that are this one's values, though it cannot fail itself.
    ///
    /// - Parameter strategy: What happens to one that comes while others are at work: see ``FlattenStrategy``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Value.Failure> {
        lift("flatten:", .working) { $0.flatten(strategy) }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Never, Failure == Never {
    /// Sends what the streams send that are this one's values, where none can fail.
    ///
    /// - Parameter strategy: What happens to one that comes while others are at work: see ``FlattenStrategy``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Never> {
        lift("flatten:", .working) { $0.flatten(strategy) }
    }
}
