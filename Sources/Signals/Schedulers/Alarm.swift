/// The one timer of an operator that sets it again and again.
///
/// Thread-safe: a timer that is set takes the place of the one before, even if that goes off while it is being set.
package final class Alarm: Sendable {
    private struct State {
        /// Counts what has been set.
        var generation = 0
        var timer: (any Disposable)?
        var isStopped = false
    }

    private let state = Locked(State())

    package init() {}

    /// Sets the alarm. `schedule` is called at once, outside any lock, unless it is stopped.
    package func set(_ schedule: () -> (any Disposable)?) {
        let begun = state.withLock { state -> (generation: Int, former: (any Disposable)?)? in
            guard !state.isStopped else { return nil }
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

    /// Stops the timer, for now.
    package func cancel() {
        let timer = state.withLock { state in
            state.generation += 1
            return state.timer.take()
        }
        timer?.dispose()
    }

    /// Stops the timer for ever.
    package func stop() {
        let timer = state.withLock { state in
            state.isStopped = true
            return state.timer.take()
        }
        timer?.dispose()
    }
}
