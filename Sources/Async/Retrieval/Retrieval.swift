public import HotSignals

/// One event of a stream that a suspended task or a blocked thread waits for.
///
/// The outcome is decided by whichever comes first, the stream or the cancellation. Nothing is resumed or disposed of
/// under the lock.
@usableFromInline
final class Retrieval<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        /// The event that is waited for, once it has arrived.
        var event: Event<Value, Failure>?
        var isOver = false
        var waiting: UnsafeContinuation<Event<Value, Failure>?, Never>?
        /// Stops the stream.
        var stop: (any Disposable)?
        /// Whether stopping the stream leads to ``finish()``, after the cleanup.
        var stopFinishes = false
    }

    private let state = Waitable(State())
    /// The condition on which a blocked thread sleeps.
    private let condition: Condition?

    /// - Parameter blocks: Whether a thread, not a task, will wait.
    @usableFromInline
    init(blocks: Bool = false) { condition = blocks ? Condition() : nil }

    // MARK: The stream's side

    /// Stores the event that is waited for. Later events are ignored.
    @usableFromInline
    func note(_ event: Event<Value, Failure>) {
        state.withLock { state in
            if state.event == nil, !state.isOver { state.event = event }
        }
    }

    /// Ends the wait, with the event that has been stored.
    @usableFromInline
    func finish() {
        let (waiting, event, stop) = state.withLock { state in
            state.isOver = true
            let waiting = state.waiting.take()
            // The event stays for a waiter that has not arrived yet.
            return (waiting, waiting == nil ? nil : state.event.take(), state.stop.take())
        }
        waiting?.resume(returning: event)
        condition?.signal()
        withExtendedLifetime(stop) {}
    }

    /// Sets the disposable that stops the stream when the task is cancelled.
    ///
    /// - Parameter finishes: Whether disposing of `stop` leads to a call of ``finish()``, once the stream has been
    ///   cleaned up.
    /// - Returns: Whether the event is still waited for. If not, `stop` has been disposed of.
    @usableFromInline @discardableResult
    func stop(with stop: (any Disposable)?, finishes: Bool = false) -> Bool {
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
    var isOver: Bool { state.withLock { $0.isOver } }

    // MARK: The waiting side

    /// Calls `begin` and waits for the event. Returns `nil` if the task is cancelled first. In that case the work is
    /// stopped, or not begun at all.
    ///
    /// - Parameter begin: Called immediately, on the caller's actor, unless the task has been cancelled.
    @usableFromInline
    func event(
        isolation: isolated (any Actor)? = #isolation, _ begin: () -> Void
    ) async -> Event<Value, Failure>? {
        await withTaskCancellationHandler {
            // Referencing the actor keeps this closure on it.
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

    /// Stops the stream, then ends the wait unless stopping does so.
    private func cancel() {
        let (stop, finishes) = state.withLock { state in
            // If no disposable has been set yet, `stop(with:finishes:)` will see that this is over.
            if state.stop == nil { state.isOver = true }
            return (state.stop, state.stopFinishes)
        }
        stop?.dispose()
        if !finishes { finish() }
    }

    /// Blocks the thread until the event has arrived.
    @usableFromInline
    func blockingEvent() -> Event<Value, Failure>? {
        // The caller has passed `blocks: true` to the initializer, so there is a condition.
        state.withLock(waitingOn: condition!) { state in state.isOver ? .some(state.event.take()) : nil }
    }
}

extension Event {
    /// Returns the value, or `nil` for a terminal event without an error. Throws the error.
    @_alwaysEmitIntoClient
    func retrieved() throws(Failure) -> Value? {
        switch self {
        case .next(let value): value
        case .error(let error): throw error
        case .completed, .interrupted: nil
        }
    }
}
