package import ReactiveSignals
import ServiceLifecycle

/// Writes rows in batches, and tells each caller when its row has been written.
package final class BatchWriter<Row: Sendable, Failure: Error>: Sendable {
    /// A row, and where its result is sent.
    private struct Entry: Sendable {
        let row: Row
        let reply: Signal<Void, Failure>.Observer
    }

    private let action: Action<Row, Void, Failure>
    private let input: Signal<Entry, Never>.Observer
    private let isOpen = MutableProperty(true)

    /// - Parameters:
    ///   - capacity: How many rows can be accepted and not yet written.
    ///   - size: How many rows to write at once.
    ///   - delay: How long a row waits for others.
    ///   - write: Writes a batch in one transaction.
    package init(
        capacity: Int, size: Int, delay: Duration, on scheduler: some DelayScheduler,
        write: @escaping @Sendable ([Row]) async throws(Failure) -> Void
    ) {
        let (entries, input) = Signal<Entry, Never>.pipe(contention: .enqueue)
        self.input = input
        // A unit runs until its row has been written, so the limit bounds everything
        // that follows.
        action = Action(enabledIf: isOpen, policy: .concurrent(limit: capacity)) { row in
            SignalProducer { reply, _ in input.sendNext(Entry(row: row, reply: reply)) }
        }
        entries.collect(every: delay, upTo: size, on: scheduler)
            .flatMap(.concat) { batch in
                SignalProducer.async { () async throws(Failure) in
                    try await write(batch.map(\.row))
                }
                .materialize()
                .on(next: { event in for entry in batch { entry.reply.send(event) } })
            }
            .observe { _ in }
    }

    /// Returns when the row has been written. Cancelling the task has no effect, because the row may be written anyway.
    ///
    /// - Throws: `ActionError.disabled` if there is no room or the writer is closed.
    package func save(_ row: Row) async throws(ActionError<Failure>) {
        let result: Result<Void, ActionError<Failure>> = await withCheckedContinuation { continuation in
            action.apply(row).start { event in
                switch event {
                case .next: break
                case .completed: continuation.resume(returning: .success(()))
                case .error(let error): continuation.resume(returning: .failure(error))
                case .interrupted: continuation.resume(returning: .failure(.disabled))
                }
            }
        }
        try result.get()
    }

    /// Refuses new rows, and returns when all others have been written.
    package func close() async {
        isOpen.value = false
        _ = await action.isExecuting.producer.filter { !$0 }.first()
        input.sendCompleted()
    }
}

extension BatchWriter: Service {
    /// Runs until the service group shuts down, and then writes what is left.
    package func run() async {
        try? await gracefulShutdown()
        await close()
    }
}
