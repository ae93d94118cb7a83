#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals

/// A serial scheduler whose clock a thread of the scenario advances.
final class HandScheduler: DelayScheduler, @unchecked Sendable {
    /// A time, in seconds.
    struct Instant: InstantProtocol, CustomStringConvertible {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        var description: String { "\(offset.components.seconds) s" }
    }

    private final class Entry: Disposable, @unchecked Sendable {
        var due: Instant
        let interval: Duration?
        var action: (@Sendable () -> Void)?
        let state: Trial.State

        init(
            _ due: Instant, _ interval: Duration?, _ state: Trial.State, _ action: @escaping @Sendable () -> Void
        ) {
            self.due = due
            self.state = state
            self.interval = interval
            self.action = action
        }

        var isDisposed: Bool {
            state.touch()
            return action == nil
        }

        func dispose() {
            state.touch()
            let released = action
            action = nil
            withExtendedLifetime(released) {}
        }
    }

    private var time = Instant(offset: .zero)
    private let state = Trial.State()
    private var entries: [Entry] = []
    private var isShutDown = false
    private let trial: Trial
    /// The thread that runs an action.
    private var thread: UInt?

    init(_ trial: Trial) { self.trial = trial }

    /// Whether the caller is an action of the scheduler.
    var isCurrent: Bool { thread == ThreadIdentity.current }

    var now: Instant {
        state.touch()
        return time
    }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { add(.zero, nil, action) }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { add(delay, nil, action) }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { add(delay, interval, action) }

    private func add(
        _ delay: Duration, _ interval: Duration?, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        let entry = Entry(now.advanced(by: delay), interval, state, action)
        if isShutDown { entry.dispose() } else { entries.append(entry) }
        return entry
    }

    /// Advances the clock by a number of seconds, and runs due actions in order. Only one thread may drive the
    /// scheduler.
    func advance(by seconds: Int = 0) {
        let goal = now.advanced(by: .seconds(seconds))
        while let index = firstDue(at: goal) {
            let entry = entries[index]
            time = max(now, entry.due)
            let action = entry.action
            if let interval = entry.interval, action != nil {
                entry.due = entry.due.advanced(by: interval)
            } else {
                entries.remove(at: index)
                entry.action = nil
            }
            // A disposal may occur between the decision to run an action and its beginning.
            trial.pause()
            thread = ThreadIdentity.current
            action?()
            thread = nil
        }
        state.touch()
        time = goal
    }

    /// Releases the scheduled actions without running them, and from now on every action that is scheduled.
    func shutDown() {
        state.touch()
        isShutDown = true
        let released = entries
        entries = []
        for entry in released { entry.dispose() }
    }

    private func firstDue(at goal: Instant) -> Int? {
        state.touch()
        entries.removeAll { $0.isDisposed }
        let due = entries.indices.filter { entries[$0].due <= goal }
        return due.min { (entries[$0].due, $0) < (entries[$1].due, $1) }
    }

    /// Whether no scheduled action can still run.
    var isEmpty: Bool {
        state.touch()
        entries.removeAll { $0.isDisposed }
        return entries.isEmpty
    }

    /// Expects that no scheduled action can still run.
    func expectEmpty() {
        trial.expect(isEmpty, "\(entries.count) actions are still scheduled")
    }
}
#endif
