#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import Testing

extension AllExplorations {
    /// Memory orderings of the gate are made weaker, one after another.
    @Suite("Weaker orderings")
    struct WeakeningTests {
        private let scenarios = [
            GateExplorations.senders(.wait, count: 1), GateExplorations.senders(.enqueue, count: 1),
            GateExplorations.visits(.wait),
        ]

        /// Those without which the gate is wrong.
        ///
        /// Each of the others is doubled by another one: what a thread pushes is published by the push and again by the
        /// flag that it raises, for example, and taken by the exchange of the inbox and again by the look at the flags.
        private static let needed: Set<String> = [
            "Gate.swift enter(_:): acquire, relaxed instead of acquiring",
            "Gate.swift enterIfIdle(_:): acquire, relaxed instead of acquiring",
            "Gate.swift enterPassively(_:): acquire, relaxed instead of acquiring",
            "Gate.swift enterSlowly(_:waits:performs:stopsIfOffered:): acquire, relaxed instead of acquiring",
            "Gate.swift leave(_:): release, relaxed instead of releasing",
            "Gate.swift leavePassively(_:): release, relaxed instead of releasing",
            "Gate.swift leaveSlowly(_:_:): release, relaxed instead of releasing",
            "WaitingRoom.swift leave(_:as:leaving:mayYield:): release, relaxed instead of releasing",
        ]

        @Test("are found where the gate needs them, and nowhere else")
        func gate() {
            Weakening.candidates = []
            for scenario in scenarios { _ = Explorer(scenario, settings(preemptions: 1)).exhaust() }
            let candidates = Weakening.candidates ?? []
            Weakening.candidates = nil
            var missing = Self.needed
            for weakening in candidates {
                let name = String("\(weakening)".split(separator: "/", maxSplits: 1)[1])
                // Those that change nothing take as long as all schedules do.
                guard missing.remove(name) != nil || Extent.isFull else { continue }
                Weakening.current = weakening
                defer { Weakening.current = nil }
                let isFound = scenarios.contains { Explorer($0, settings(preemptions: 2)).exhaust().finding != nil }
                #expect(isFound == Self.needed.contains(name), "\(name)")
            }
            #expect(missing.isEmpty, "these are not in the code any more: \(missing)")
        }

        private func settings(preemptions: Int) -> Settings {
            var settings = Settings()
            settings.staleReads = 1
            settings.preemptions = preemptions
            return settings
        }
    }
}
#endif
