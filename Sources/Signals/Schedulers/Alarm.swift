/// The timer of an operator, which can be set any number of times.
///
/// Thread-safe. Each timer replaces the previous one, even if the previous one fires while it is still being set.
@usableFromInline
package final class Alarm: Sendable {
    private struct State {
        /// Counts the calls that have set the alarm.
        var generation = 0
        var timer: (any Disposable)?
        /// Whether the alarm has been set for the last time.
        var isClosed = false
        var isStopped = false
    }

    private let state = Locked(State())

    @usableFromInline
    package init() {}

    /// Sets the alarm. Calls `schedule` immediately, outside any lock, unless the alarm is stopped or set for the last
    /// time.
    @usableFromInline
    package func set(_ schedule: () -> (any Disposable)?) { set(isLast: false, schedule) }

    /// Sets the alarm for the last time. A thread that is late to set it for something else cannot replace this timer.
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

    /// Stops the timer permanently.
    @usableFromInline
    package func stop() {
        let timer = state.withLock { state in
            state.isStopped = true
            return state.timer.take()
        }
        timer?.dispose()
    }
}
