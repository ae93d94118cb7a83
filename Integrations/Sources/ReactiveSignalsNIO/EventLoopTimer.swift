import NIOConcurrencyHelpers
import NIOCore
import ReactiveSignals

/// An action that runs once, unless it is disposed of first.
final class EventLoopAction: Disposable {
    private let action: NIOLockedValueBox<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = NIOLockedValueBox(action) }

    private func take() -> (@Sendable () -> Void)? { action.withLockedValue { $0.take() } }

    var isDisposed: Bool { action.withLockedValue { $0 == nil } }

    /// Releases the action outside the lock.
    func dispose() { _ = take() }

    func run() { take()?() }
}

/// An action that an event loop runs at a time, once or repeatedly.
///
/// The task of the event loop keeps this object alive until the last run.
final class EventLoopTimer: Disposable {
    private struct State {
        /// `nil` once disposed of, or when the only run has begun.
        var action: (@Sendable () -> Void)?
        /// The task of the event loop for the next run.
        var task: Scheduled<Void>?
    }

    private let lane: EventLoopLane
    /// `nil` to run once.
    private let interval: TimeAmount?
    private let state: NIOLockedValueBox<State>

    init(
        on lane: EventLoopLane, after delay: Duration, interval: TimeAmount?, _ action: @escaping @Sendable () -> Void
    ) {
        self.lane = lane
        self.interval = interval
        state = NIOLockedValueBox(State(action: action))
        let deadline = lane.eventLoop.now + TimeAmount(max(delay, .zero))
        // An event loop that has shut down must be given no timer by another thread, because it would leave the promise
        // of the timer unfulfilled. It can refuse work.
        if lane.eventLoop.inEventLoop { set(deadline) } else { lane.run { self.set(deadline) } }
    }

    var isDisposed: Bool { state.withLockedValue { $0.action == nil } }

    func dispose() {
        let former = state.withLockedValue { state in
            defer { state = State() }
            return state
        }
        // The action is released outside the lock.
        former.task?.cancel()
    }

    /// Called on the event loop, or after it has shut down.
    private func set(_ deadline: NIODeadline) {
        if isDisposed { return }
        let eventLoop = lane.eventLoop
        guard eventLoop.inEventLoop else { return setAfterShutdown(deadline) }
        let task = eventLoop.scheduleTask(deadline: deadline) {
            self.lane.runInPlace { self.fire(at: deadline) }
        }
        let isDisposed = state.withLockedValue { state in
            if state.action != nil { state.task = task }
            return state.action == nil
        }
        if isDisposed { return task.cancel() }
        // An event loop that shuts down fails the tasks of its timers. So does a disposal.
        task.futureResult.whenFailure { _ in
            if !self.isDisposed { self.setAfterShutdown(deadline) }
        }
    }

    private func setAfterShutdown(_ deadline: NIODeadline) {
        lane.runAfterShutdown(delay: deadline - lane.eventLoop.now) { self.fire(at: deadline) }
    }

    private func fire(at deadline: NIODeadline) {
        guard let interval else {
            let action = state.withLockedValue { state in
                state.task = nil
                return state.action.take()
            }
            action?()
            return
        }
        // The first of the instants that has not passed. Set before the action runs, so that the action can dispose of
        // this timer.
        let missed = max((lane.eventLoop.now - deadline).nanoseconds, 0) / interval.nanoseconds
        set(deadline + .nanoseconds(interval.nanoseconds * (missed + 1)))
        state.withLockedValue { $0.action }?()
    }
}
