package import HotSignals

extension SignalProducer {
    /// The first event of a start that satisfies a condition; nil if the task is cancelled first.
    @inlinable
    package nonisolated(nonsending) func retrieve(
        where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool = { _ in true }
    ) async -> Event<Value, Failure>? {
        let retrieval = Retrieval<Value, Failure>()
        return await retrieval.event { start(for: retrieval, where: isWanted) }
    }

    /// The same for a thread, which is blocked meanwhile.
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
        // The first action is the last one to run: whoever has waited finds that the work has been disposed of.
        run.observeEnded { retrieval.finish() }
        // Told before the work begins, as that may be synchronous and take long.
        guard retrieval.stop(with: run, finishes: true) else { return }
        let end = ChainEnd<Value, Failure>(run) { event in
            if isWanted(event) { retrieval.note(event) }
        }
        begin(run, end.erased)
    }
}
