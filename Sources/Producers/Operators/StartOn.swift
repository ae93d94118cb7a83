extension SignalProducer {
    /// Begins the work on a scheduler.
    ///
    /// The work determines where its events are sent: synchronous work sends them on the scheduler. A start that is
    /// disposed of before the scheduler runs it is interrupted, and no work begins.
    ///
    /// - Parameter scheduler: Where the work begins.
    @inlinable
    public func start(on scheduler: some Scheduler) -> SignalProducer {
        SignalProducer(derivedName("start(on:)"), of: self) { _, sink in
            SerialStart.run(
                into: sink, .wait({ scheduler.schedule($0) }, then: { step { .end($0) } }))
        }
    }
}
