import HotSignals
package import ReactiveSignals

/// A scheduler whose clock a test sets, even backward. Runs scheduled actions only on demand.
package final class ScriptedClock: DelayScheduler, @unchecked Sendable {
    // Sendable: the lock guards the state.
    package struct Instant: InstantProtocol {
        package var offset: Duration

        package init(offset: Duration) { self.offset = offset }

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Locked((now: Duration.zero, actions: [(delay: Duration, action: ScheduledAction)]()))

    package init() {}

    package var time: Duration {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    package var now: Instant { Instant(offset: time) }

    /// Advances the clock.
    package func tick(_ duration: Duration) {
        state.withLock { $0.now += duration }
    }

    /// The delays of the scheduled actions.
    package var delays: [Duration] { state.withLock { $0.actions.filter { !$0.action.isDisposed }.map(\.delay) } }

    /// Runs the scheduled actions, regardless of the time.
    package func runScheduled() {
        let actions = state.withLock { state in
            defer { state.actions = [] }
            return state.actions
        }
        for (_, action) in actions { action.run() }
    }

    package func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        schedule(after: .zero, leeway: .zero, action)
    }

    package func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        let action = ScheduledAction(action)
        state.withLock { $0.actions.append((delay, action)) }
        return action
    }

    package func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { schedule(after: delay, leeway: leeway, action) }
}
