public import ColdProducers
public import HotSignals

extension Signal {
    /// Returns the first event that satisfies a condition, or `nil` if the task is cancelled first. Observes
    /// immediately.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) func retrieve(
        at location: CodeLocation, where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool = { _ in true }
    ) async -> Event<Value, Failure>? {
        let retrieval = Retrieval<Value, Failure>()
        return await retrieval.event {
            let observation = observe(at: location) { event in
                guard isWanted(event) else { return }
                retrieval.note(event)
                retrieval.finish()
            }
            retrieval.stop(with: observation)
        }
    }
}

extension SignalProducer {
    /// Starts the producer, waits until the start has ended, and returns the first event that satisfied a condition.
    ///
    /// Cancelling the task interrupts the start. Returns `nil` if no event satisfied the condition, or if the task was
    /// already cancelled, in which case nothing is started.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) func retrieve(
        at location: CodeLocation, where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool = { _ in true }
    ) async -> Event<Value, Failure>? {
        let retrieval = Retrieval<Value, Failure>()
        return await retrieval.event { start(for: retrieval, at: location, where: isWanted) }
    }

    /// Like ``retrieve(at:where:)``, but blocks the thread.
    @_alwaysEmitIntoClient
    func blockingRetrieve(
        at location: CodeLocation, where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool = { _ in true }
    ) -> Event<Value, Failure>? {
        let retrieval = Retrieval<Value, Failure>(blocks: true)
        start(for: retrieval, at: location, where: isWanted)
        return retrieval.blockingEvent()
    }

    @inlinable
    func start(
        for retrieval: Retrieval<Value, Failure>, at location: CodeLocation,
        where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool
    ) {
        let start = Start(startedAt: location)
        // Added first, so it runs last: when the caller continues, everything attached to the start has been
        // disposed of.
        start.observeEnded { retrieval.finish() }
        // Registered before the work begins, because the work may be synchronous and take long.
        guard retrieval.stop(with: start, finishes: true) else { return }
        self.start(with: start) { event in
            if isWanted(event) { retrieval.note(event) }
        }
    }
}
