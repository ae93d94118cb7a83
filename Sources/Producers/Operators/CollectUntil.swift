extension SignalProducer {
    /// Sends the values that have arrived as an array, each time a trigger sends. The number of collected values has no
    /// bound.
    ///
    /// Like ``/HotSignals/Signal/collect(until:)`` of signals, separately for each start. The trigger's work begins
    /// first.
    ///
    /// - Parameter trigger: A signal, or a producer, which is started once per start. Its values are ignored.
    @_alwaysEmitIntoClient
    public func collect<Trigger>(
        until trigger: some SignalProducerConvertible<Trigger, Never>
    ) -> SignalProducer<[Value], Failure> {
        machine("collect(until:)", trigger.producer) { CollectUntilMachine(core: $0) }
    }

    /// Accepts leading-dot syntax: `collect(until: .interval(.seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func collect<Trigger>(until trigger: SignalProducer<Trigger, Never>) -> SignalProducer<[Value], Failure> {
        collect(until: trigger)
    }
}
