#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Action groups")
    struct ActionGroupExplorations {
        /// Two members of a group. Open units of the first have the numbers from 100 on, those of the second from 200.
        struct Pair {
            let first: Units
            let second: Units
            let actions: [Units.Unit]

            init(_ trial: Trial, _ policy: ActionPolicy, enabledIf condition: MutableProperty<Bool>? = nil) {
                let group = ActionGroup(policy: policy)
                first = Units(trial, policy, in: group)
                second = Units(trial, policy, in: group)
                (first.others, second.others) = (second, first)
                actions = [first.make(enabledIf: condition), second.make()]
            }

            /// Ends all running units, and checks the guarantees.
            func check(isFirstEnabled: Bool = true) {
                // The end of a unit can begin one of the other member.
                for _ in 0..<2 {
                    for (units, numbers) in [(first, 100..<110), (second, 200..<210)] {
                        for number in numbers { units.end(number) }
                    }
                }
                first.check(actions[0], isEnabled: isFirstEnabled)
                second.check(actions[1])
            }
        }

        @Test("racing starts of two members run as many units as the policy allows", arguments: policies)
        func starts(policy: ActionPolicy) {
            exhaust(
                Scenario("starts of two members, \(policy)") { trial in
                    let pair = Pair(trial, policy)
                    trial.thread { pair.first.start(pair.actions[0], 1) }
                    trial.thread { pair.second.start(pair.actions[1], 2) }
                    trial.thread { pair.second.start(pair.actions[1], 3) }
                    trial.finally {
                        pair.check()
                        let begun = pair.first.begun.count + pair.second.begun.count
                        let mayWait = [.queue(waiting: 2), .concurrent(limit: 2, waiting: 1)].contains(policy)
                        trial.expect(mayWait ? begun == 3 : begun > 0, "\(begun) have begun")
                    }
                }, preemptions: 1)
        }

        @Test("the end of a unit beside a start and a disposal of another member's", arguments: policies)
        func ends(policy: ActionPolicy) {
            exhaust(
                Scenario("an end, a start and a disposal, \(policy)") { trial in
                    let pair = Pair(trial, policy)
                    pair.first.start(pair.actions[0], 100)
                    let other = pair.second.start(pair.actions[1], 200)
                    trial.thread { pair.first.end(100) }
                    trial.thread { other.dispose() }
                    trial.thread { pair.second.start(pair.actions[1], 1) }
                    trial.finally {
                        pair.check()
                        // Both have been told that there is room.
                        trial.expect(pair.actions.allSatisfy { $0.isEnabled.value }, "a member is disabled")
                    }
                }, preemptions: 1)
        }

        @Test("a member drains while its queued unit gets its turn, and the other one goes on")
        func drain() {
            exhaust(
                Scenario("a drain beside an end and a disposal") { trial in
                    let pair = Pair(trial, .queue(waiting: 2))
                    let drained = Recorder<Never, Never>(trial, "the drain")
                    pair.first.start(pair.actions[0], 100)
                    let waiting = pair.second.start(pair.actions[1], 2)
                    trial.thread { pair.first.end(100) }
                    trial.thread { waiting.dispose() }
                    trial.thread { _ = pair.actions[1].draining().start(drained) }
                    trial.finally {
                        drained.expectOneEnd()
                        pair.first.start(pair.actions[0], 3)
                        pair.first.check(pair.actions[0])
                        pair.second.check(pair.actions[1], isEnabled: false)
                        trial.expect(pair.first.begun == [100, 3], "\(pair.first.begun)")
                    }
                }, preemptions: 1)
        }

        @Test("no unit begins once its member has been disabled and executes nothing", arguments: policies)
        func disabling(policy: ActionPolicy) {
            exhaust(
                Scenario("an end of another member beside the setter that disables, \(policy)") { trial in
                    let condition = MutableProperty(true)
                    let pair = Pair(trial, policy, enabledIf: condition)
                    pair.second.start(pair.actions[1], 200)
                    trial.thread {
                        condition.value = false
                        pair.first.isOff = !pair.actions[0].isExecuting.value
                    }
                    trial.thread { pair.second.end(200) }
                    trial.thread { pair.first.start(pair.actions[0], 1) }
                    trial.finally { pair.check(isFirstEnabled: false) }
                }, preemptions: 1)
        }

        @Test("a member that is released beside the end of its unit leaves its place", arguments: policies)
        func release(policy: ActionPolicy) {
            exhaust(
                Scenario("the release of a member, \(policy)") { trial in
                    let group = ActionGroup(policy: policy)
                    let (brief, kept) = (Units(trial, policy, in: group), Units(trial, policy, in: group))
                    (brief.others, kept.others) = (kept, brief)
                    let held = Held(brief.make())
                    let action = kept.make()
                    brief.start(held.value!, 100)
                    trial.thread { held.value = nil }
                    trial.thread { brief.end(100) }
                    trial.thread { kept.start(action, 1) }
                    trial.finally {
                        brief.check(nil)
                        brief.enabled.expectOneEnd()
                        kept.check(action)
                        kept.start(action, 2)
                        trial.expect(kept.begun.contains(2), "a place is taken for ever: \(kept.begun)")
                    }
                }, preemptions: 1)
        }

        static let policies = ActionExplorations.policies
    }
}
#endif
