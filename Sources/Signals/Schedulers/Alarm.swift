/// The one timer of an operator that sets it again and again.
///
/// Thread-safe: a timer that is set takes the place of the one before, even if that goes off while it is being set.
@usableFromInline
package final class Alarm: Sendable {
    private struct State {
        /// Counts what has been set.
        var generation = 0
        var timer: (any Disposable)?
        /// Whether nothing more can be set.
        var isClosed = false
        var isStopped = false
    }

    private let state = Locked(State())

    @usableFromInline
    package init() {}

    /// Sets the alarm. `schedule` is called at once, outside any lock, unless the alarm is stopped or set for the last time.
    @usableFromInline
    package func set(_ schedule: () -> (any Disposable)?) { set(isLast: false, schedule) }

    /// Sets the alarm for the last time: a thread that comes late to set it for something else does not replace it.
    @usableFromInline
    package func setLast(_ schedule: () -> (any Disposable)?) { set(isLast: true, schedule) }

    private func set(isLast: Bool, _ schedule: () -> (any Disposable)?) {
        let begun = state.withLock { state -> (generation: Int, former: (any Disposable)?)? in
            guard !state.isStopped, !state.isClosed else { return nil }
            state.isClosed = isLast
            state.generation += 1
            return (state.generation, state.timer.take())
        }
        guard let begun else { return }
        begun.former?.dispose()
        let timer = schedule()
        let isKept = state.withLock { state in
            guard !state.isStopped, state.generation == begun.generation else { return false }
            state.timer = timer
            return true
        }
        if !isKept { timer?.dispose() }
    }

    /// Stops the timer for ever.
    @usableFromInline
    package func stop() {
        let timer = state.withLock { state in
            state.isStopped = true
            return state.timer.take()
        }
        timer?.dispose()
    }
}
