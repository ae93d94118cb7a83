extension SignalProducer {
    /// Sends each value together with the latest value of another stream.
    ///
    /// Like ``/HotSignals/Signal/withLatest(from:)`` of signals, separately for each start. The other stream's work
    /// begins first.
    ///
    /// - Parameter other: A signal, or a producer, which is started once per start.
    @_alwaysEmitIntoClient
    public func withLatest<Other>(
        from other: some SignalProducerConvertible<Other, Never>
    ) -> SignalProducer<(Value, Other), Failure> {
        machine("withLatest(from:)", other.producer, passesSuspension: true) { WithLatestMachine(core: $0) }
    }

    /// Accepts leading-dot syntax: `withLatest(from: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func withLatest<Other>(
        from other: SignalProducer<Other, Never>
    ) -> SignalProducer<(Value, Other), Failure> {
        withLatest(from: other)
    }
}

extension Signal {
    /// Sends each value together with the latest value of a property, or of a producer, which is started immediately:
    /// see ``/HotSignals/Signal/withLatest(from:)``.
    @_alwaysEmitIntoClient
    public func withLatest<Other>(
        from other: some SignalProducerConvertible<Other, Never>
    ) -> Signal<(Value, Other), Failure> {
        other.producer.startWithSignal { latest, interrupter in withLatest(from: latest).disposing(interrupter) }
    }

    /// Accepts leading-dot syntax: `withLatest(from: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func withLatest<Other>(from other: SignalProducer<Other, Never>) -> Signal<(Value, Other), Failure> {
        withLatest(from: other)
    }
}
