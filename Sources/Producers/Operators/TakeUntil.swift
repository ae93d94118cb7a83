extension SignalProducer {
    /// Sends values until a trigger fires, then completes.
    ///
    /// Like ``/HotSignals/Signal/take(until:)`` of signals, separately for each start. The trigger's work begins first:
    /// if it fires immediately, only the completion is sent.
    ///
    /// - Parameter trigger: A signal, or a producer, which is started once per start.
    @_alwaysEmitIntoClient
    public func take<Trigger>(until trigger: some SignalProducerConvertible<Trigger, Never>) -> SignalProducer {
        machine("take(until:)", trigger.producer, passesSuspension: true) { TakeUntilMachine(core: $0) }
    }

    /// Accepts leading-dot syntax: `take(until: .timer(after: .seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func take<Trigger>(until trigger: SignalProducer<Trigger, Never>) -> SignalProducer {
        take(until: trigger)
    }
}
