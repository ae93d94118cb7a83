import Dispatch
import NIOConcurrencyHelpers
import NIOCore

/// Runs the work of a scheduler on an event loop, and on a dispatch queue after the event loop has shut down. Never
/// runs two pieces of work at the same time.
///
/// An event loop that has shut down refuses work: it releases the closure instead of calling it. From then on, work
/// lines up for the queue. While it shuts down, an event loop still runs the work that it has accepted. So the queue
/// begins only when all of that has run.
final class EventLoopLane: Sendable {
    private struct State {
        /// The work that the event loop has accepted, or may still refuse, and that has not ended.
        var accepted = 0
        var isShut = false
        /// The work for the queue.
        var line = CircularBuffer<@Sendable () -> Void>()
        /// Whether the queue runs the line, or is about to.
        var isRunningLine = false

        /// Whether the caller must have the queue run the line.
        mutating func mustRunLine() -> Bool {
            guard isShut, accepted == 0, !line.isEmpty, !isRunningLine else { return false }
            isRunningLine = true
            return true
        }
    }

    let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())
    private let queue = DispatchQueue(label: "ReactiveSignals.EventLoopScheduler, after the shutdown")

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Runs the work after all that has been added before, and not inside this call.
    func run(_ work: @escaping @Sendable () -> Void) {
        let (isAccepted, mustRunLine) = state.withLockedValue { state in
            if state.isShut {
                state.line.append(work)
                return (false, state.mustRunLine())
            }
            state.accepted += 1
            return (true, false)
        }
        if isAccepted { hand(AcceptedWork(work, self)) }
        if mustRunLine { runLine() }
    }

    /// In a method of its own, so that the closure has the only reference. If the event loop refuses it, that is known
    /// when this returns.
    private func hand(_ work: consuming AcceptedWork) { eventLoop.execute { [work] in work.run() } }

    /// Runs the work inside this call. Only on the thread of the event loop.
    func runInPlace(_ work: @escaping @Sendable () -> Void) {
        let (isAccepted, mustRunLine) = state.withLockedValue { state in
            if state.isShut {
                state.line.append(work)
                return (false, state.mustRunLine())
            }
            state.accepted += 1
            return (true, false)
        }
        if isAccepted {
            work()
            hasEnded()
        }
        if mustRunLine { runLine() }
    }

    /// Runs the work after a delay, although the event loop has shut down.
    func runAfterShutdown(delay: TimeAmount, _ work: @escaping @Sendable () -> Void) {
        state.withLockedValue { $0.isShut = true }
        // The queue runs other work in the meantime, so this lines up when it is due.
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(max(delay.nanoseconds, 0)))) { self.run(work) }
    }

    /// Called when work that the event loop has accepted has ended.
    fileprivate func hasEnded() {
        let mustRunLine = state.withLockedValue { state in
            state.accepted -= 1
            return state.mustRunLine()
        }
        if mustRunLine { runLine() }
    }

    /// Called when the event loop has released work without running it.
    fileprivate func hasRefused(_ work: @escaping @Sendable () -> Void) {
        let mustRunLine = state.withLockedValue { state in
            state.accepted -= 1
            state.isShut = true
            state.line.append(work)
            return state.mustRunLine()
        }
        if mustRunLine { runLine() }
    }

    private func runLine() {
        queue.async { [self] in
            while let work = nextInLine() { work() }
        }
    }

    private func nextInLine() -> (@Sendable () -> Void)? {
        state.withLockedValue { state in
            if let work = state.line.popFirst() { return work }
            state.isRunningLine = false
            return nil
        }
    }
}

/// Work that an event loop has been given.
private final class AcceptedWork: @unchecked Sendable {
    // Sendable: only the event loop that runs the work, or the thread that releases it, accesses `work`.
    private var work: (@Sendable () -> Void)?
    private let lane: EventLoopLane

    init(_ work: @escaping @Sendable () -> Void, _ lane: EventLoopLane) {
        self.work = work
        self.lane = lane
    }

    deinit {
        if let work { lane.hasRefused(work) }
    }

    func run() {
        work.take()?()
        lane.hasEnded()
    }
}
