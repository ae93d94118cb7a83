extension SignalProducer {
    /// Delivers every event on a scheduler, in order.
    ///
    /// Like the operator on ``/HotSignals/Signal``, separately for each start. To choose where the work begins, use
    /// ``SignalProducer/start(on:)``. Disposing of the start drops undelivered events and schedules the interruption.
    ///
    /// - Parameter scheduler: Where observers are called.
    @inlinable
    public func observe(on scheduler: some Scheduler) -> SignalProducer {
        lift("observe(on:)", .scheduled) { $0.observe(on: scheduler) }
    }
}
