import HotSignals

/// Notifies taps that an execution begins and stops waiting, each once and in this order, although different threads
/// may find out.
@usableFromInline
final class WaitingNote: Sendable {
    private let actions: [WaitWatch.Action]
    private let steps = AtomicWord(0)

    private static let begunBit: UInt = 1
    private static let endedBit: UInt = 2

    init(_ actions: [WaitWatch.Action]) { self.actions = actions }

    /// The execution waits, or has waited until now.
    @usableFromInline
    func begin() {
        notify(.began(.execution))
        if steps.set(Self.begunBit) & Self.endedBit != 0 { notify(.ended(.execution)) }
    }

    /// The execution does not wait, or no longer.
    @usableFromInline
    func end() {
        if steps.set(Self.endedBit) == Self.begunBit { notify(.ended(.execution)) }
    }

    private func notify(_ waiting: StreamWaiting) {
        for action in actions { action(waiting) }
    }
}
