extension SignalProducer {
    /// Drops values until a trigger fires, and sends all later ones.
    ///
    /// Like ``/HotSignals/Signal/skip(until:)`` of signals, separately for each start. The trigger's work begins first.
    ///
    /// - Parameter trigger: A signal, or a producer, which is started once per start.
    @_alwaysEmitIntoClient
    public func skip<Trigger>(until trigger: some SignalProducerConvertible<Trigger, Never>) -> SignalProducer {
        machine("skip(until:)", trigger.producer, passesSuspension: true) { SkipUntilMachine(core: $0) }
    }

    /// Accepts leading-dot syntax: `skip(until: .timer(after: .seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func skip<Trigger>(until trigger: SignalProducer<Trigger, Never>) -> SignalProducer {
        skip(until: trigger)
    }
}
