package import ReactiveSignals

/// A queue of jobs in memory. A server uses the client of a real queue instead.
package struct JobQueue<Job: Sendable>: Sendable {
    /// The jobs that nobody has taken yet.
    package let waiting = MutableProperty<[Job]>([])

    package init() {}

    package func add(_ job: Job) { waiting.modify { $0.append(job) } }

    /// Waits for a job and removes it. Returns `nil` if the task is cancelled.
    package func take() async -> Job? {
        while !Task.isCancelled {
            if let job = waiting.modify({ $0.isEmpty ? nil : $0.removeFirst() }) { return job }
            // Another task may take the job first, so this is a loop.
            _ = await waiting.next(where: { !$0.isEmpty })
        }
        return nil
    }
}
