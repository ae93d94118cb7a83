extension SignalProducer {
    /// Delivers every event on a scheduler, in order.
    ///
    /// Like ``/HotSignals/Signal/observe(on:)`` of signals, separately for each start. To choose where the work begins,
    /// use ``SignalProducer/start(on:)``. Disposing of the start drops undelivered events and schedules the
    /// interruption.
    ///
    /// - Parameter scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func observe(on scheduler: some Scheduler) -> SignalProducer {
        derive("observe(on:)", on: scheduler) { Relay(core: $0, scheduler: scheduler) }
    }
}
