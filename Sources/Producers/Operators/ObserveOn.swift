extension SignalProducer {
    /// Delivers every event on a scheduler, in order.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. Where the work begins is another matter: see
    /// ``SignalProducer/start(on:)``. On disposal, what has not been delivered yet is dropped, and the interruption is scheduled.
    ///
    /// - Parameter scheduler: Where observers are called.
    @inlinable
    public func observe(on scheduler: some Scheduler) -> SignalProducer {
        lift("observe(on:)", .scheduled) { $0.observe(on: scheduler) }
    }
}
