#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Actions")
    struct ActionExplorations {
        static let policies: [ActionPolicy] = [
            .refuse, .concurrent(limit: 2), .queue(waiting: 2), .restart, .concurrent(limit: 2, waiting: 1),
        ]

        @Test("three racing starts run as many units as the policy allows", arguments: policies)
        func starts(policy: ActionPolicy) {
            exhaust(
                Scenario("three starts, \(policy)") { trial in
                    let units = Units(trial, policy)
                    let action = units.make()
                    for number in 1...3 { trial.thread { units.start(action, number) } }
                    trial.finally {
                        units.check(action)
                        if [.queue(waiting: 2), .concurrent(limit: 2, waiting: 1)].contains(policy) {
                            trial.expect(units.begun.count == 3, "\(units.begun)")
                        } else {
                            trial.expect(!units.begun.isEmpty, "nothing has begun")
                        }
                    }
                }, preemptions: 1)
        }

        @Test("a start while the running unit ends follows the policy", arguments: policies, Units.End.allCases)
        func end(policy: ActionPolicy, end: Units.End) {
            exhaust(
                Scenario("a start beside the end of a unit, \(policy), \(end)") { trial in
                    let units = Units(trial, policy)
                    let action = units.make()
                    units.start(action, 100)
                    trial.thread { units.end(100, end, sending: 7) }
                    trial.thread { units.start(action, 1) }
                    trial.finally {
                        units.check(action)
                        let isLet = policy == .refuse ? units.begun.count >= 1 : units.begun == [100, 1]
                        trial.expect(isLet, "\(units.begun)")
                    }
                }, preemptions: 1)
        }

        @Test("a disposal of the running unit can race with its end and a start", arguments: policies)
        func disposal(policy: ActionPolicy) {
            exhaust(
                Scenario("a disposal of a unit beside its end and a start, \(policy)") { trial in
                    let units = Units(trial, policy)
                    let action = units.make()
                    let running = units.start(action, 100)
                    trial.thread { units.end(100, sending: 7) }
                    trial.thread { running.dispose() }
                    trial.thread { units.start(action, 1) }
                    trial.finally { units.check(action) }
                }, preemptions: 1)
        }

        @Test("a queued start either leaves the queue or begins")
        func queued() {
            exhaust(
                Scenario("the end of a unit, the disposal of a queued one, and a start") { trial in
                    let units = Units(trial, .queue(waiting: 2))
                    let action = units.make()
                    units.start(action, 100)
                    let waiting = units.start(action, 2)
                    trial.thread { units.end(100) }
                    trial.thread { waiting.dispose() }
                    trial.thread { units.start(action, 3) }
                    trial.finally {
                        units.check(action)
                        // Unit 2 may be disposed of while it begins, which overlaps the beginning of unit 3.
                        let orders = [[100, 3], [100, 2, 3], [100, 3, 2]]
                        trial.expect(orders.contains(units.begun), "\(units.begun)")
                        let isLeft = units.begun.count == 2
                        trial.expect(!isLeft || units.recorders[1].values.isEmpty, "it has run and has not begun")
                    }
                }, preemptions: 1)
        }

        @Test("a start beside a drain is refused, or ends before the drain does", arguments: policies)
        func drain(policy: ActionPolicy) {
            exhaust(
                Scenario("a start, the end of a unit, and a drain, \(policy)") { trial in
                    let units = Units(trial, policy)
                    let action = units.make()
                    let drained = Recorder<Never, Never>(trial, "the drain")
                    units.start(action, 100)
                    trial.thread { units.start(action, 1) }
                    trial.thread { units.end(100) }
                    trial.thread { _ = action.draining().start(drained) }
                    trial.finally {
                        units.check(action, isEnabled: false)
                        drained.expectOneEnd()
                        let begun = units.begun.count
                        units.start(action, 2)
                        trial.expect(units.begun.count == begun, "\(units.begun)")
                    }
                }, preemptions: 1)
        }

        @Test("a start that ends downstream while it enters the queue frees its place", arguments: policies)
        func givenUp(policy: ActionPolicy) {
            exhaust(
                Scenario("a start that is given up meanwhile, beside the end of a unit, \(policy)") { trial in
                    let units = Units(trial, policy)
                    let action = units.make()
                    let (stopped, stop) = Signal<Void, Never>.pipe()
                    let recorder = Recorder<Int, Units.Failure>(trial, "the start that is given up")
                    units.start(action, 100)
                    trial.thread { _ = action.apply(101).take(until: stopped).start(recorder) }
                    trial.thread { stop.sendNext() }
                    trial.thread { units.end(100) }
                    trial.finally {
                        stop.sendNext()
                        recorder.expectOneEnd()
                        units.start(action, 1)
                        units.check(action, alone: false)
                        trial.expect(units.begun.contains(1), "a place is taken for ever: \(units.begun)")
                    }
                }, preemptions: 1)
        }

        @Test("queued units begin in the order of their starts")
        func order() {
            exhaust(
                Scenario("two threads queue two units each behind an open one") { trial in
                    let units = Units(trial, .queue(waiting: 4))
                    let action = units.make()
                    units.start(action, 100)
                    for first in [1, 3] {
                        trial.thread {
                            units.start(action, first)
                            units.start(action, first + 1)
                        }
                    }
                    trial.thread { units.end(100) }
                    trial.finally {
                        units.check(action)
                        trial.expect(Set(units.begun) == [100, 1, 2, 3, 4], "\(units.begun)")
                        for first in [1, 3] {
                            let places = [first, first + 1].map { units.begun.firstIndex(of: $0) ?? -1 }
                            trial.expect(places[0] < places[1], "\(units.begun)")
                        }
                    }
                }, preemptions: 1)
        }

        @Test("no unit begins once the action has been disabled and executes nothing", arguments: policies)
        func disabling(policy: ActionPolicy) {
            exhaust(
                Scenario("two starts beside the setter that disables, \(policy)") { trial in
                    let condition = MutableProperty(true)
                    let units = Units(trial, policy)
                    let action = units.make(enabledIf: condition)
                    trial.thread {
                        condition.value = false
                        units.isOff = !action.isExecuting.value
                    }
                    for number in 1...2 { trial.thread { units.start(action, number) } }
                    trial.finally { units.check(action, isEnabled: false) }
                }, preemptions: 1)
        }

        @Test("no queued unit begins once the action has been disabled and executes nothing", arguments: policies)
        func disablingBesideAnEnd(policy: ActionPolicy) {
            exhaust(
                Scenario("an end beside the setter that disables, \(policy)") { trial in
                    let condition = MutableProperty(true)
                    let units = Units(trial, policy)
                    let action = units.make(enabledIf: condition)
                    units.start(action, 100)
                    trial.thread {
                        condition.value = false
                        units.isOff = !action.isExecuting.value
                    }
                    trial.thread { units.end(100) }
                    trial.thread { units.start(action, 1) }
                    trial.finally { units.check(action, isEnabled: false) }
                }, preemptions: 1)
        }

        @Test("exactly the reported units run if the condition depends on the execution", arguments: policies)
        func ownCondition(policy: ActionPolicy) {
            exhaust(
                Scenario("two starts, whose condition depends on the execution, \(policy)") { trial in
                    let condition = MutableProperty(true)
                    let units = Units(trial, policy)
                    let action = units.make(enabledIf: condition)
                    let executions = Recorder<SignalProducer<Int, Never>, Never>(trial, "executions")
                    action.executions.observe(executions)
                    condition <~ action.isExecuting.negate()
                    for number in 1...2 { trial.thread { units.start(action, number) } }
                    trial.finally {
                        units.check(action)
                        trial.expect(!units.begun.isEmpty, "nothing has begun")
                        let reported = executions.values.count
                        trial.expect(reported == units.prepared.count, "\(reported) reported of \(units.prepared)")
                    }
                }, preemptions: 1)
        }

        @Test("the action is enabled again when its condition becomes true again", arguments: policies)
        func enabling(policy: ActionPolicy) {
            exhaust(
                Scenario("a start beside a condition that goes and comes, \(policy)") { trial in
                    let condition = MutableProperty(true)
                    let units = Units(trial, policy)
                    let action = units.make(enabledIf: condition)
                    trial.thread { for value in [false, true] { condition.value = value } }
                    trial.thread {
                        units.start(action, 1)
                        units.start(action, 2)
                    }
                    trial.finally { units.check(action) }
                }, preemptions: 1)
        }

        @Test("a unit receives a state for which the action was enabled")
        func state() {
            exhaust(
                Scenario("starts beside two changes of the state") { trial in
                    let state = MutableProperty(0)
                    nonisolated(unsafe) var got: [Int] = []
                    let order = Trial.State()
                    let action = Action<Void, Int, Never>(state: state, enabledIf: { $0.isMultiple(of: 2) }) { state in
                        order.touch()
                        got.append(state)
                        return SignalProducer(value: state)
                    }
                    trial.thread { for value in [1, 2] { state.value = value } }
                    for _ in 0..<2 { trial.thread { action.apply().start() } }
                    trial.finally {
                        trial.expect(got.allSatisfy { $0.isMultiple(of: 2) }, "begun with \(got)")
                        trial.expect(got.sorted() == got, "begun with \(got)")
                        trial.expect(action.isEnabled.value, "it is not enabled")
                    }
                }, preemptions: 1)
        }

        @Test("an action that is released while a unit runs ends its streams once", arguments: policies)
        func release(policy: ActionPolicy) {
            exhaust(
                Scenario("the release of an action beside a unit, \(policy)") { trial in
                    let units = Units(trial, policy)
                    let first = Held(units.make())
                    let second = Held(first.value)
                    units.start(first.value!, 100)
                    trial.thread {
                        if let action = first.value { units.start(action, 1) }
                        first.value = nil
                    }
                    trial.thread { second.value = nil }
                    trial.thread { units.end(100) }
                    trial.finally {
                        units.check(nil)
                        units.values.expectOneEnd()
                        units.executing.expectOneEnd()
                        units.enabled.expectOneEnd()
                    }
                }, preemptions: 1)
        }

        @Test("values that two threads send to a bound action run or are refused", arguments: policies)
        func binding(policy: ActionPolicy) {
            exhaust(
                Scenario("an action bound to a signal, two senders and a disposal, \(policy)") { trial in
                    let units = Units(trial, policy)
                    let action = units.make()
                    let (signal, input) = Signal<Int, Never>.pipe()
                    let refused = Recorder<Void, Never>(trial, "the refusals")
                    action.disabledErrors.observe(refused)
                    let binding = action <~ signal
                    trial.thread { input.sendNext(1) }
                    trial.thread { input.sendNext(2) }
                    trial.thread { binding.dispose() }
                    trial.finally {
                        input.sendCompleted()
                        trial.expect(units.begun.sorted() == units.cleaned.sorted(), "\(units.begun)")
                        trial.expect(Set(units.begun).count == units.begun.count, "\(units.begun)")
                        trial.expect(units.begun.count + refused.values.count <= 2, "\(units.begun)")
                        trial.expect(!action.isExecuting.value && action.isEnabled.value, "it executes")
                    }
                }, preemptions: 1)
        }

        @Test("each call of execute returns once", arguments: [ActionPolicy.refuse, .queue(waiting: 1)])
        func execute(policy: ActionPolicy) {
            // No task is cancelled, as the runtime then holds a lock that the explorer does not see.
            exhaust(
                Scenario("two tasks execute, \(policy)") { trial in
                    let units = Units(trial, policy)
                    let action = units.make()
                    nonisolated(unsafe) var results: [Int: Int?] = [:]
                    nonisolated(unsafe) var refused = 0
                    for number in 1...2 {
                        trial.thread {
                            Task(executorPreference: ExploredBackground.executor) {
                                do {
                                    results[number] = .some(try await action.execute(number))
                                } catch {
                                    refused += 1
                                }
                            }
                        }
                    }
                    trial.finally {
                        trial.expect(results.count + refused == 2, "\(results) and \(refused) refusals")
                        for (number, result) in results {
                            trial.expect(result == .some(number), "\(number) returns \(result ?? -1)")
                        }
                        trial.expect(results.keys.sorted() == units.begun.sorted(), "\(results) of \(units.begun)")
                        trial.expect(!action.isExecuting.value && action.isEnabled.value, "it executes")
                    }
                }, preemptions: 1)
        }
    }
}
#endif
