package import ReactiveSignals

/// Accepts measurements up to a limit, and writes them in batches.
///
///     save       action: at most `queue` units, and more are refused
///     collect    batches by size or time
///     write      one batch at a time, on the scheduler
///     replies    each unit ends when its measurement is in the database
///
/// The action bounds the pipeline. A measurement belongs to a running unit until it has been saved, so
/// the batches between the action and the database never hold more than `queue` measurements, however slow the disk is.
package final class Intake: Sendable {
    /// A measurement, and where its result is sent.
    private struct Pending: Sendable {
        let reading: Reading
        let reply: Signal<Int, StorageFailure>.Observer
    }

    /// Numbers since the start.
    package struct Counts: Equatable, Sendable {
        package var accepted: Int
        package var saved: Int

        package init(accepted: Int = 0, saved: Int = 0) {
            self.accepted = accepted
            self.saved = saved
        }
    }

    private let limits: Limits
    private let action: Action<Reading, Int, StorageFailure>
    private let input: Signal<Pending, Never>.Observer
    private let isOpen = MutableProperty(true)
    private let currentCounts: MutableProperty<Counts>
    private let lastWrite: MutableProperty<Duration>
    private let currentFailure: MutableProperty<StorageFailure?>

    /// Why the last write failed; `nil` if it did not.
    package let failure: Property<StorageFailure?>

    /// - Parameters:
    ///   - scheduler: Measures the delay, and calls `write`. It can block.
    ///   - write: Writes a batch in one transaction, and returns the number of each row.
    package init(
        _ limits: Limits, on scheduler: some DelayScheduler,
        write: @escaping @Sendable ([Reading]) throws(StorageFailure) -> [Int]
    ) {
        self.limits = limits
        // With `.enqueue`, the threads of two requests never wait for each other.
        let (pending, input) = Signal<Pending, Never>.pipe(contention: .enqueue)
        self.input = input
        let counts = MutableProperty(Counts())
        currentCounts = counts
        let lastWrite = MutableProperty(Duration.zero)
        self.lastWrite = lastWrite
        let currentFailure = MutableProperty<StorageFailure?>(nil)
        self.currentFailure = currentFailure
        failure = Property(currentFailure)
        action = Action(enabledIf: isOpen, policy: .concurrent(limit: limits.queue)) { reading in
            SignalProducer { reply, _ in
                counts.modify { $0.accepted += 1 }
                input.sendNext(Pending(reading: reading, reply: reply))
            }
        }
        pending.collect(every: limits.delay, upTo: limits.batch, on: scheduler).observeNext { batch in
            let begin = scheduler.now
            let result = Result { () throws(StorageFailure) in try write(batch.map(\.reading)) }
            // Before a client is answered, whose next request may ask for it.
            lastWrite.value = begin.duration(to: scheduler.now)
            switch result {
            case .success(let rows):
                currentFailure.value = nil
                counts.modify { $0.saved += rows.count }
                for (pending, row) in zip(batch, rows) {
                    pending.reply.sendNext(row)
                    pending.reply.sendCompleted()
                }
            case .failure(let failure):
                currentFailure.value = failure
                for pending in batch { pending.reply.sendError(failure) }
            }
        }
    }

    package var counts: Counts { currentCounts.value }

    /// Finds out whether measurements can be saved again, although nobody sends one.
    package func recheck(_ probe: () async throws(StorageFailure) -> Void) async {
        do throws(StorageFailure) {
            try await probe()
            currentFailure.value = nil
        } catch {
            currentFailure.value = error
        }
    }

    /// Saves a measurement. Returns the number of its row when it is in the database.
    ///
    /// Cancelling the task has no effect. Otherwise, clients that disconnect would give up their places in the action
    /// while their measurements are still in the pipeline, and the limit would not hold.
    ///
    /// - Throws: `ActionError.disabled` if the limit has been reached or the intake is closed.
    package func save(_ reading: Reading) async throws(ActionError<StorageFailure>) -> Int {
        let saving = action.apply(reading)
        let result: Result<Int, ActionError<StorageFailure>> = await withCheckedContinuation { continuation in
            saving.start { event in
                switch event {
                case .next(let row): continuation.resume(returning: .success(row))
                case .error(let error): continuation.resume(returning: .failure(error))
                // Comes after the row.
                case .completed: break
                // Nothing interrupts a unit, but a task that waits forever would be worse than a wrong reason.
                case .interrupted: continuation.resume(returning: .failure(.disabled))
                }
            }
        }
        return try result.get()
    }

    /// The time in which the measurements of a full queue will be saved, if the disk remains as fast as it is.
    package var drainTime: Duration { lastWrite.value * ((limits.queue + limits.batch - 1) / limits.batch) }

    /// Accepts nothing more, and returns when everything that was accepted has been saved.
    package func close() async {
        isOpen.value = false
        _ = await action.isExecuting.producer.filter { !$0 }.first()
        input.sendCompleted()
    }
}
