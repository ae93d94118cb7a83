import ColdProducers
import HotSignals

/// What an execution notifies a tap of, apart from its events.
protocol ExecutionTap: Sendable {
    /// Puts the end off until ``leave()`` is called. Returns `false` if it has come already.
    func enter() -> Bool
    func leave()
    /// Notifies of the beginning of a wait, and returns what notifies of its end.
    func wait(_ kind: StreamWaiting.Kind) -> WaitWatch.Ending?
}

extension TapLink: ExecutionTap {}

/// The taps of an action.
@usableFromInline
final class ActionTaps<Output: Sendable, Failure: Error>: Sendable {
    typealias ExecutionSink = ProducerSink<Output, ActionError<Failure>>
    /// Begins an execution with a sink that notifies the tap.
    typealias Tap =
        @Sendable (_ sink: ExecutionSink, _ begin: (_ sink: ExecutionSink, _ tap: any ExecutionTap) -> Void) -> Void

    private let taps = Locked<[Tap]>([])

    func add(_ tap: @escaping Tap) { taps.withLock { $0.append(tap) } }

    /// Calls `begin` once, inside all taps, the first one outermost.
    func tap(
        _ sink: ExecutionSink, _ begin: (_ sink: ExecutionSink, _ taps: [any ExecutionTap]) -> Void
    ) {
        tap(sink, taps.withLock { $0 }[...], [], begin)
    }

    private func tap(
        _ sink: ExecutionSink, _ taps: ArraySlice<Tap>, _ begun: [any ExecutionTap],
        _ begin: (_ sink: ExecutionSink, _ taps: [any ExecutionTap]) -> Void
    ) {
        guard let first = taps.first else { return begin(sink, begun) }
        first(sink) { sink, tapped in
            tap(sink, taps.dropFirst(), begun + [tapped], begin)
        }
    }
}
