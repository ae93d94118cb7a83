extension SignalProducer {
    /// Delivers every event on a scheduler, in order.
    ///
    /// Like ``/HotSignals/Signal/observe(on:)`` of signals, separately for each start. To choose where the work begins,
    /// use ``SignalProducer/start(on:)``. Disposing of the start drops undelivered events and schedules the
    /// interruption.
    ///
    /// The queue is unbounded, unless a consumer or an operator downstream suspends its source, such as
    /// `values(buffering: .suspending(n))`: then the source of this operator is suspended, too, and also while 256
    /// values wait for the scheduler. These may exceed what the consumer keeps.
    ///
    /// - Parameter scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func observe(on scheduler: some Scheduler) -> SignalProducer {
        derive("observe(on:)", on: scheduler, passesSuspension: true) {
            let limit = Room.queueLimit
            return Relay(core: $0, scheduler: scheduler, stock: $0.makeStock(limit: limit, goingOnAt: limit / 2))
        }
    }
}
