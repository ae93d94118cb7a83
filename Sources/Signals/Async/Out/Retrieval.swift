/// One event of a stream that somebody waits for: a task, or a thread that is blocked meanwhile.
///
/// Whatever comes first decides: the stream or the cancellation. Nothing is resumed or disposed of under the lock.
@usableFromInline
package final class Retrieval<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        /// What is asked for, once it is there.
        var event: Event<Value, Failure>?
        var isOver = false
        var waiting: UnsafeContinuation<Event<Value, Failure>?, Never>?
        /// What stops the stream.
        var stop: (any Disposable)?
        /// Whether the waiting ends by itself once the stream has been stopped and all is cleaned up.
        var stopFinishes = false
    }

    private let state = Locked(State())
    /// What a thread sleeps on.
    private let condition: Condition?

    /// - Parameter blocks: Whether it is a thread that will wait.
    @usableFromInline
    package init(blocks: Bool = false) { condition = blocks ? Condition() : nil }

    // MARK: The stream's side

    /// Notes the event that is asked for. What comes after it does not count.
    @usableFromInline
    package func note(_ event: Event<Value, Failure>) {
        state.withLock { state in
            if state.event == nil, !state.isOver { state.event = event }
        }
    }

    /// Ends the waiting, with what has been noted.
    @usableFromInline
    package func finish() {
        let (waiting, event, stop) = state.withLock { state in
            state.isOver = true
            let waiting = state.waiting.take()
            // It stays for one who has not come yet.
            return (waiting, waiting == nil ? nil : state.event.take(), state.stop.take())
        }
        waiting?.resume(returning: event)
        condition?.signal()
        withExtendedLifetime(stop) {}
    }

    /// Says what stops the stream when the task is cancelled.
    ///
    /// - Parameter finishes: Whether ``finish()`` is called, by whoever stops it in the end, when the stream has been cleaned up.
    /// - Returns: Whether anybody waits still. If not, `stop` has been disposed of.
    @usableFromInline @discardableResult
    package func stop(with stop: (any Disposable)?, finishes: Bool = false) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver {
                state.stop = stop
                state.stopFinishes = finishes
            }
            return state.isOver
        }
        if isOver { stop?.dispose() }
        return !isOver
    }

    @usableFromInline
    package var isOver: Bool { state.withLock { $0.isOver } }

    // MARK: The waiting side

    /// Begins, and waits for the event. Nil if the task is cancelled first; then nothing is begun, or it is stopped.
    ///
    /// - Parameter begin: Runs at once, where the caller is. Not if the task has been cancelled.
    @usableFromInline
    package func event(
        isolation: isolated (any Actor)? = #isolation, _ begin: () -> Void
    ) async -> Event<Value, Failure>? {
        await withTaskCancellationHandler {
            // Mentioning the actor keeps this closure on it.
            _ = isolation
            if !isOver { begin() }
            return await withUnsafeContinuation(isolation: isolation) { wait($0) }
        } onCancel: {
            cancel()
        }
    }

    private func wait(_ continuation: UnsafeContinuation<Event<Value, Failure>?, Never>) {
        let (isOver, event) = state.withLock { state in
            if !state.isOver { state.waiting = continuation }
            return (state.isOver, state.isOver ? state.event.take() : nil)
        }
        if isOver { continuation.resume(returning: event) }
    }

    /// Stops the stream, then ends the waiting, if that does not come of it.
    private func cancel() {
        let (stop, finishes) = state.withLock { state in
            // What stops it will see that this is over, if it has not been told yet.
            if state.stop == nil { state.isOver = true }
            return (state.stop, state.stopFinishes)
        }
        stop?.dispose()
        if !finishes { finish() }
    }

    /// Blocks the thread until the event is there.
    @usableFromInline
    package func blockingEvent() -> Event<Value, Failure>? {
        // Whoever calls this has had the condition made.
        state.withLock(waitingOn: condition!) { state in state.isOver ? .some(state.event.take()) : nil }
    }
}

extension Event {
    /// The value; nil for an end without one. Throws the error.
    @inlinable
    package func retrieved() throws(Failure) -> Value? {
        switch self {
        case .next(let value): value
        case .error(let error): throw error
        case .completed, .interrupted: nil
        }
    }
}

extension Signal {
    /// The first event that satisfies a condition; nil if the task is cancelled first. Observes at once.
    @inlinable
    package nonisolated(nonsending) func retrieve(
        where isWanted: @escaping @Sendable (Event<Value, Failure>) -> Bool = { _ in true }
    ) async -> Event<Value, Failure>? {
        let retrieval = Retrieval<Value, Failure>()
        return await retrieval.event {
            let observation = observe { event in
                guard isWanted(event) else { return }
                retrieval.note(event)
                retrieval.finish()
            }
            retrieval.stop(with: observation)
        }
    }
}
