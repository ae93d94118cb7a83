import HotSignals

/// Measures for how long the event in flight in a gate has lasted, at no cost for events.
///
/// A snapshot that finds a gate taken pushes an operation into it. The owner of the gate performs the operation when
/// that event is over. If a later snapshot finds that it has not been performed, the event is still in flight.
final class GateProbe: Sendable {
    private let since: Int
    private let isOver = AtomicFlag()

    private init(since: Int) { self.since = since }

    /// The probes of the gates that were taken, by the addresses of the gates.
    private static let probes = Locked<[UInt: GateProbe]>([:])

    /// Returns how long the event in flight has lasted at least. `nil` if none is, or if this is the first look at it.
    static func look(at gate: Gate, now: Int) -> Duration? {
        let address = GraphHook.address(of: gate)
        guard gate.isTaken else { return nil }
        let (probe, isNew) = probes.withLock { probes -> (GateProbe, Bool) in
            if let probe = probes[address], !probe.isOver.isRaised { return (probe, false) }
            let probe = GateProbe(since: now)
            probes[address] = probe
            return (probe, true)
        }
        guard isNew else { return .nanoseconds(now - probe.since) }
        // Does not wait, and performs nothing of other threads.
        PassiveSection.run { gate.push(DeferredUpkeep { probe.isOver.raise() }) }
        return nil
    }

    /// Forgets the probes that have been performed.
    static func tidy() {
        probes.withLock { $0 = $0.filter { !$0.value.isOver.isRaised } }
    }
}
