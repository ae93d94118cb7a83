/// What an iterator is: the consumer's side of a handover, and what ends the observation.
///
/// It is for one task at a time, but for ``cancel()``. When the iterator is released, the observation is disposed of.
@usableFromInline
@_fixed_layout
final class Consumption<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: `batch` is for the one task that consumes, the rest does not change.
    @usableFromInline let handover: Handover<Value, Failure>
    /// Nil if the stream had ended before.
    @usableFromInline let observation: (any Disposable)?
    /// What the consumer has taken at once and not used yet.
    @exclusivity(unchecked) @usableFromInline var batch = Ring<Value>()

    /// Begins to observe, unless the task has been cancelled: then nothing is begun, and there is nothing to consume.
    @inlinable
    init(
        _ policy: BufferingPolicy, _ drops: DropCount,
        _ begin: (Handover<Value, Failure>) -> (any Disposable)?
    ) {
        handover = Handover(policy, drops)
        if Task.isCancelled {
            observation = nil
            handover.close()
        } else {
            observation = begin(handover)
        }
    }

    deinit {
        cancel()
        batch.deallocate()
    }

    /// From any thread. The consumer, if it sleeps, wakes up and finds nothing.
    @usableFromInline
    func cancel() {
        // Closed first, so that the interruption of what is disposed of is not taken for one of the stream's own.
        handover.close()
        observation?.dispose()
    }

    /// The next event; nil after the terminal one, and when the task has been cancelled.
    @inlinable @inline(__always)
    func next(isolation actor: isolated (any Actor)?) async -> Event<Value, Failure>? {
        if !Task.isCancelled, let value = batch.takeFirst() { return .next(value) }
        return await nextOfHandover(isolation: actor)
    }

    @inlinable @inline(never)
    func nextOfHandover(isolation actor: isolated (any Actor)?) async -> Event<Value, Failure>? {
        while true {
            if Task.isCancelled {
                cancel()
                batch.deallocate()
                return nil
            }
            switch handover.take(&batch) {
            case .event(let event): return event
            case .over: return nil
            case .nothingYet: await wait(isolation: actor)
            }
        }
    }

    /// Returns when there may be something to take.
    @inlinable
    func wait(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation(isolation: actor) { handover.wait($0) }
        } onCancel: {
            cancel()
        }
    }
}
