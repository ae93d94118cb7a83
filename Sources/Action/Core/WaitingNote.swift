import HotSignals

/// Notifies taps that an execution begins and stops waiting, each at most once and in this order, although different
/// threads may find out.
///
/// The taps are not notified of the end before the execution is over: see ``finish()``.
@usableFromInline
final class WaitingNote: Sendable {
    private struct State {
        var endings: [WaitWatch.Ending]?
        var hasEnded = false
        var isFinished = false
    }

    private let taps: [any ExecutionTap]
    private let state = Locked(State())

    init(_ taps: [any ExecutionTap]) {
        self.taps = taps
    }

    deinit { finish() }

    /// The execution waits, or has waited until now.
    @usableFromInline
    func begin() {
        if state.withLock({ $0.hasEnded }) { return }
        let endings = taps.compactMap { $0.wait(.execution) }
        let mustEnd = state.withLock { state in
            if !state.hasEnded { state.endings = endings }
            return state.hasEnded
        }
        if mustEnd { notify(endings) }
    }

    /// The execution does not wait, or no longer.
    @usableFromInline
    func end() {
        let endings = state.withLock { state in
            state.hasEnded = true
            return state.endings.take()
        }
        if let endings { notify(endings) }
    }

    /// The execution is over, and the resources of its work have been released.
    @usableFromInline
    func finish() {
        end()
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished
        }
        if isFirst { for tap in taps.reversed() { tap.leave() } }
    }

    private func notify(_ endings: [WaitWatch.Ending]) {
        for ending in endings { ending() }
    }
}
