import ColdProducers
import HotSignals

/// The taps of an action.
@usableFromInline
final class ActionTaps<Output: Sendable, Failure: Error>: Sendable {
    typealias ExecutionSink = ProducerSink<Output, ActionError<Failure>>
    /// Begins an execution with a sink that notifies the tap, and with what notifies it of the waiting.
    typealias Tap =
        @Sendable (
            _ sink: ExecutionSink, _ begin: (_ sink: ExecutionSink, _ waiting: @escaping WaitWatch.Action) -> Void
        ) -> Void

    private let taps = Locked<[Tap]>([])

    func add(_ tap: @escaping Tap) { taps.withLock { $0.append(tap) } }

    /// Calls `begin` once, inside all taps, the first one outermost.
    func tap(
        _ sink: ExecutionSink, _ begin: (_ sink: ExecutionSink, _ waiting: [WaitWatch.Action]) -> Void
    ) {
        tap(sink, taps.withLock { $0 }[...], [], begin)
    }

    private func tap(
        _ sink: ExecutionSink, _ taps: ArraySlice<Tap>, _ waiting: [WaitWatch.Action],
        _ begin: (_ sink: ExecutionSink, _ waiting: [WaitWatch.Action]) -> Void
    ) {
        guard let first = taps.first else { return begin(sink, waiting) }
        first(sink) { sink, action in
            tap(sink, taps.dropFirst(), waiting + [action], begin)
        }
    }
}
