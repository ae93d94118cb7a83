#if Explore
import HotSignals
import InterleavingExplorer
import Testing

extension AllExplorations {
    /// Explorations that leave out schedules that are equivalent to others.
    @Suite("Equivalent schedules")
    struct EquivalenceTests {
        private func explore(
            _ scenario: Scenario, preemptions: Int = 2, leavesOut: Bool
        )
            -> Exploration
        {
            var settings = Settings()
            settings.preemptions = preemptions
            settings.leavesOutEquivalents = leavesOut
            settings.collectsOutcomes = true
            return Explorer(scenario, settings).exhaust()
        }

        /// Expects that an exploration that leaves out schedules has run some of each set of equivalent ones.
        private func expectSame(
            _ scenario: Scenario, preemptions: Int = 2
        ) -> (
            some: Exploration, all: Exploration
        ) {
            let all = explore(scenario, preemptions: preemptions, leavesOut: false)
            let some = explore(scenario, preemptions: preemptions, leavesOut: true)
            #expect(all.isExhausted && some.isExhausted && some.leavesOut)
            #expect(some.outcomes == all.outcomes)
            #expect(some.traces == all.traces)
            return (some, all)
        }

        @Test("are left out where threads only read")
        func reading() {
            let scenario = Scenario("three readers") { trial in
                let word = ExploredWord(0)
                for _ in 0..<3 {
                    trial.thread { for _ in 0..<2 { _ = word.load(.relaxed) } }
                }
                // Otherwise it matters which thread releases the word.
                trial.finally { withExtendedLifetime(word) {} }
            }
            let (some, all) = expectSame(scenario, preemptions: 9)
            // The order of the threads is a free choice.
            #expect(some.executions == 6)
            #expect(all.executions > 90)
        }

        @Test("are left out where threads use different words", arguments: 0...3)
        func words(preemptions: Int) {
            func scenario(_ isShared: Bool) -> Scenario {
                Scenario("two threads write") { trial in
                    let outcome = trial.outcome()
                    let words = (0..<2).map { _ in ExploredWord(0) }
                    for thread in 0..<2 {
                        trial.thread {
                            for _ in 0..<3 {
                                words[isShared ? 0 : thread].modify(.relaxed) { $0 * 2 + UInt(thread) }
                                outcome?.text = "\(words.map(\.peek))"
                            }
                        }
                    }
                    trial.finally { withExtendedLifetime(words) {} }
                }
            }
            #expect(expectSame(scenario(true), preemptions: preemptions).some.outcomes.count >= 2)
            #expect(expectSame(scenario(false), preemptions: preemptions).some.outcomes.count == 1)
        }

        @Test("leave every order in which threads release the last references")
        func releases() {
            final class Shared: Sendable {
                let freed: @Sendable () -> Void
                init(_ freed: @escaping @Sendable () -> Void) { self.freed = freed }
                deinit { freed() }
            }
            let scenario = Scenario("two threads release two objects in opposite orders") { trial in
                let outcome = trial.outcome()
                nonisolated(unsafe) var running = 0
                nonisolated(unsafe) var freedBy = [0, 0]
                nonisolated(unsafe) var references: [[Shared?]] = [[], []]
                for object in 0..<2 {
                    let shared = Shared {
                        freedBy[object] = running
                        outcome?.text = "\(freedBy)"
                    }
                    for thread in 0..<2 { references[thread].append(shared) }
                }
                for thread in 0..<2 {
                    trial.thread {
                        for object in 0..<2 {
                            trial.pause()
                            running = thread + 1
                            references[thread][thread == 0 ? object : 1 - object] = nil
                        }
                    }
                }
            }
            #expect(expectSame(scenario).some.outcomes.count == 3)
        }

        @Test("leave what is wrong in a protocol")
        func errors() {
            let lostUpdate = Scenario("two threads count") { trial in
                let word = ExploredWord(0)
                let other = ExploredWord(0)
                for _ in 0..<2 {
                    trial.thread {
                        _ = other.load(.relaxed)
                        let seen = word.load(.relaxed)
                        _ = other.load(.relaxed)
                        word.store(seen + 1, .relaxed)
                    }
                }
                trial.finally { trial.expect(word.peek == 2, "counted \(word.peek)") }
            }
            #expect(explore(lostUpdate, leavesOut: true).finding?.failures == ["counted 1"])
            let deadlock = Scenario("two locks in opposite orders") { trial in
                let locks = [ExploredLock(), ExploredLock()]
                for thread in 0..<2 {
                    trial.thread {
                        locks[thread].lock()
                        locks[1 - thread].lock()
                        locks[1 - thread].unlock()
                        locks[thread].unlock()
                    }
                }
            }
            #expect(explore(deadlock, leavesOut: true).finding != nil)
        }

        @Test("are more than half of those of the gate, and leave every outcome")
        func gate() {
            let (some, all) = expectSame(GateExplorations.senders(.wait, count: 2))
            #expect(some.executions * 2 < all.executions)
            _ = expectSame(GateExplorations.senders(.enqueue, count: 1))
            _ = expectSame(GateExplorations.visits(.wait))
        }

        @Test("are not known where tasks run, so that all schedules are run")
        func tasks() {
            let scenario = Scenario("two tasks") { trial in
                let word = ExploredWord(0)
                for _ in 0..<2 {
                    trial.thread {
                        Task(executorPreference: ExploredBackground.executor) {
                            word.modify(.relaxed) { $0 + 1 }
                        }
                    }
                }
            }
            let some = explore(scenario, leavesOut: true)
            #expect(!some.leavesOut && some.isExhausted)
        }
    }
}
#endif
