import Dispatch

/// The delayed actions of a queue, which wait for one timer of the system. Setting a timer takes much longer than
/// scheduling an action, most of which are disposed of before they are due.
///
/// So the timer is set again only for an action that is due before it fires, and not when an action is disposed of. If
/// it fires for nothing, it is set for the first of the others. Instants are those of Dispatch's `uptime`.
final class QueueTimer: Sendable {
    private struct State {
        var actions = TimerQueue<QueuedAction>()
        var source: (any DispatchSourceTimer)?
        /// When the source fires, at the earliest and at the latest. `nil` while actions run, or if it waits for
        /// nothing.
        var awaited: (due: Duration, latest: Duration)?
        /// Whether due actions run. The timer is set when they have run.
        var isFiring = false
    }

    private let queue: DispatchQueue
    private let state = Locked(State())

    private static var now: Duration { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

    init(_ queue: DispatchQueue) { self.queue = queue }

    /// Schedules an action. It runs on the queue, unless it is disposed of.
    ///
    /// - Parameter interval: `nil` to run once.
    func schedule(
        after delay: Duration, interval: Duration?, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        let queued = QueuedAction(interval: interval, leeway: leeway, of: self, action)
        let due = Self.now + delay.limitedForSums
        change { state in
            state.actions.insert(queued, at: due)
            // What the timer waits for is not later than the other actions.
            if let awaited = state.awaited, awaited.due <= due, awaited.latest <= due + queued.leeway { return }
            set(&state)
        }
        return queued
    }

    /// Sets the timer for the first action. Under the lock, so that the last to decide is the last to set it: it runs
    /// nothing of the user.
    private func set(_ state: inout State) {
        guard !state.isFiring, let first = state.actions.first else { return }
        let latest = state.actions.findLatest(first)
        state.awaited = (first.due, latest)
        let due = first.due.nanoseconds
        let made = state.source == nil ? DispatchSource.makeTimerSource(queue: queue) : nil
        let source = state.source ?? made
        source?.schedule(
            deadline: due == .max ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(due)),
            leeway: .nanoseconds((latest - first.due).nanoseconds))
        guard let made else { return }
        made.setEventHandler { self.fire() }
        made.activate()
        state.source = made
    }

    /// Runs the actions that are due now. Others, also those that these schedule, follow what else waits in the queue.
    private func fire() {
        let limit = Self.now
        change { ($0.isFiring, $0.awaited) = (true, nil) }
        while let action = change({ takeDue(limit, &$0) }) { action.fire() }
    }

    private func takeDue(_ limit: Duration, _ state: inout State) -> QueuedAction? {
        if let action = state.actions.takeDue(limit, now: Self.now) { return action }
        state.isFiring = false
        set(&state)
        return nil
    }

    fileprivate func hasDisposed() { change { $0.actions.hasDisposed() } }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, dropped) = state.withLock { (body(&$0), $0.actions.takeDropped()) }
        // Released outside the lock.
        withExtendedLifetime(dropped) {}
        return result
    }

    /// Ends the timer. All actions have run, or have been disposed of.
    func cancel() {
        let former = state.withLock { exchange(&$0, with: State()) }
        former.source?.cancel()
    }
}

/// An action in a ``QueueTimer``.
private final class QueuedAction: TimedAction, @unchecked Sendable {
    // Sendable: all fields are constants.
    private let timer: QueueTimer

    init(
        interval: Duration?, leeway: Duration, of timer: QueueTimer, _ action: @escaping @Sendable () -> Void
    ) {
        self.timer = timer
        super.init(interval: interval, leeway: leeway, action)
    }

    override func hasBeenDisposed() { timer.hasDisposed() }
}
