package import HotSignals

extension SignalProducer {
    /// Starts the producer, waits until the start has ended, and returns the first event that satisfied a condition.
    ///
    /// Cancelling the task interrupts the start. Returns `nil` if no event satisfied the condition, or if the task was
    /// already cancelled, in which case nothing is started.
    @inlinable
    package nonisolated(nonsending) func retrieve(
        where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool = { _ in true }
    ) async -> Event<Value, Failure>? {
        let retrieval = Retrieval<Value, Failure>()
        return await retrieval.event { start(for: retrieval, where: isWanted) }
    }

    /// Like ``retrieve(where:)``, but blocks the thread.
    @inlinable
    package func blockingRetrieve(
        where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool = { _ in true }
    ) -> Event<Value, Failure>? {
        let retrieval = Retrieval<Value, Failure>(blocks: true)
        start(for: retrieval, where: isWanted)
        return retrieval.blockingEvent()
    }

    @inlinable
    func start(
        for retrieval: Retrieval<Value, Failure>, where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool
    ) {
        let run = Run()
        // Added first, so it runs last: when the caller continues, everything attached to the run has been disposed of.
        run.observeEnded { retrieval.finish() }
        // Registered before the work begins, because the work may be synchronous and take long.
        guard retrieval.stop(with: run, finishes: true) else { return }
        let end = ChainEnd<Value, Failure>(run) { event in
            if isWanted(event) { retrieval.note(event) }
        }
        begin(run, end.erased)
    }
}
