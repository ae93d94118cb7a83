extension Signal where Value: SignalProducerConvertible, Value.Failure == Failure {
    /// Combines the inner streams that this stream sends as its values.
    ///
    /// An error, of the outer stream or of an inner one, ends the result immediately and disposes of the inner streams.
    /// So does an interruption of the outer stream.
    ///
    /// - Parameter strategy: What happens to an inner stream that arrives while another one is running: see
    ///   ``FlattenStrategy``.
    @_alwaysEmitIntoClient
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
    /// Combines the inner streams that this stream sends as its values. Overload for inner streams that cannot fail.
    ///
    /// - Parameter strategy: What happens to an inner stream that arrives while another one is running: see
    ///   ``FlattenStrategy``.
    @_alwaysEmitIntoClient
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
    /// Combines the inner streams that this stream sends as its values. Overload for an outer stream that cannot fail.
    ///
    /// - Parameter strategy: What happens to an inner stream that arrives while another one is running: see
    ///   ``FlattenStrategy``.
    @_alwaysEmitIntoClient
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
    /// Combines the inner streams that this stream sends as its values. Overload for streams that cannot fail.
    ///
    /// - Parameter strategy: What happens to an inner stream that arrives while another one is running: see
    ///   ``FlattenStrategy``.
    @_alwaysEmitIntoClient
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
    /// Combines the inner streams that this stream sends as its values.
    ///
    /// An error, of the outer stream or of an inner one, ends the result immediately and disposes of the inner streams.
    /// So does an interruption of the outer stream.
    ///
    /// - Parameter strategy: What happens to an inner stream that arrives while another one is running: see
    ///   ``FlattenStrategy``.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Failure> {
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
    /// Combines the inner streams that this stream sends as its values. Overload for inner streams that cannot fail.
    ///
    /// - Parameter strategy: What happens to an inner stream that arrives while another one is running: see
    ///   ``FlattenStrategy``.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Failure> {
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
    /// Combines the inner streams that this stream sends as its values. Overload for an outer stream that cannot fail.
    ///
    /// - Parameter strategy: What happens to an inner stream that arrives while another one is running: see
    ///   ``FlattenStrategy``.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Value.Failure> {
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
    /// Combines the inner streams that this stream sends as its values. Overload for streams that cannot fail.
    ///
    /// - Parameter strategy: What happens to an inner stream that arrives while another one is running: see
    ///   ``FlattenStrategy``.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Never> {
        flattened("flatten:", strategy) {
            $0.producer
        } outer: {
            $0
        } inner: {
            $0
        }
    }
}
