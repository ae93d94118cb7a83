#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import Testing

extension AllExplorations {
    /// The schedulers that the library implements without Dispatch.
    @Suite("Schedulers")
    struct SchedulerExplorations {
        /// Records the actions of a scheduler, and checks that each runs once and one at a time.
        private final class Actions: @unchecked Sendable {
            // Sendable: one thread runs at a time.
            private(set) var order: [Int] = []
            private var isInside = false
            private let state = Trial.State()
            private let trial: Trial
            private let token: Trial.Token

            init(_ trial: Trial) {
                self.trial = trial
                token = trial.token()
            }

            func run(_ number: Int) {
                state.touch()
                trial.expect(!isInside, "action \(number) begins inside another one")
                isInside = true
                order.append(number)
                trial.pause()
                state.touch()
                isInside = false
            }

            func expect(_ all: [Int], perhaps: [Int] = [], inOrder: [[Int]] = []) {
                let run = order.filter { !perhaps.contains($0) }
                trial.expect(run.sorted() == all.sorted(), "the actions \(order) have run, and \(all) should have")
                trial.expect(Set(order).count == order.count, "actions have run twice: \(order)")
                for part in inOrder {
                    let places = part.compactMap { order.firstIndex(of: $0) }
                    trial.expect(places == places.sorted(), "the actions have run as \(order), not as \(part)")
                }
            }
        }

        @Test("a trampoline runs each action once, one at a time, in the order of each thread")
        func trampoline() {
            exhaust(
                Scenario("a trampoline: three threads, one nested action, one disposal") { trial in
                    let scheduler = TrampolineScheduler()
                    let actions = Actions(trial)
                    trial.thread {
                        scheduler.schedule {
                            actions.run(1)
                            scheduler.schedule { actions.run(2) }
                        }
                    }
                    trial.thread { for number in [11, 12] { scheduler.schedule { actions.run(number) } } }
                    trial.thread { scheduler.schedule { actions.run(21) }?.dispose() }
                    trial.finally { actions.expect([1, 2, 11, 12], perhaps: [21], inOrder: [[1, 2], [11, 12]]) }
                })
        }

        @Test("a trampoline can cancel an action that a passive thread leaves to another")
        func passiveTrampoline() {
            exhaust(
                Scenario("a trampoline: a passive thread beside another one") { trial in
                    let scheduler = TrampolineScheduler()
                    let actions = Actions(trial)
                    trial.thread {
                        let disposable = PassiveSection.run { scheduler.schedule { actions.run(1) } }
                        let hasBegun = actions.order.contains(1)
                        trial.expect(hasBegun || disposable != nil, "an action is left, and cannot be cancelled")
                        disposable?.dispose()
                    }
                    trial.thread { scheduler.schedule { actions.run(2) } }
                    trial.finally { actions.expect([2], perhaps: [1]) }
                })
        }

        @Test("a scheduled action is run or disposed of, and released in both cases", arguments: [0, 2])
        func action(staleReads: Int) {
            exhaust(
                Scenario("an action: run, run again, disposed of") { trial in
                    let count = Balance()
                    let action = ScheduledAction { [token = trial.token()] in
                        token.touch()
                        count.begin()
                        trial.pause()
                    }
                    trial.thread { action.runAgain() }
                    trial.thread { action.dispose() }
                    trial.thread { action.runAgain() }
                    trial.finally { trial.expect(action.isDisposed && count.begun <= 2, "run \(count.begun) times") }
                }, staleReads: staleReads)
        }

        @Test("a scheduled action is either run once or disposed of", arguments: [0, 2])
        func once(staleReads: Int) {
            exhaust(
                Scenario("an action: run by two threads and disposed of") { trial in
                    let count = Balance()
                    let action = ScheduledAction { [token = trial.token()] in
                        token.touch()
                        count.begin()
                    }
                    for _ in 0..<2 { trial.thread { action.run() } }
                    trial.thread { action.dispose() }
                    trial.finally { trial.expect(action.isDisposed && count.begun <= 1, "run \(count.begun) times") }
                }, staleReads: staleReads)
        }

        private func timers(disposes: Bool) -> Scenario {
            Scenario("a clock: two timers, an action\(disposes ? ", a disposal" : "")") { trial in
                let clock = HandClock()
                let scheduler = ClockScheduler(clock)
                let actions = Actions(trial)
                trial.thread {
                    scheduler.schedule(after: .seconds(2), leeway: .zero) { actions.run(2) }
                    // Each thread advances the clock after its own timer, so that everything is due at the end.
                    clock.advance(by: .seconds(10))
                }
                trial.thread {
                    let timer = scheduler.schedule(after: .seconds(1), leeway: .zero) { actions.run(1) }
                    if disposes { timer?.dispose() }
                    clock.advance(by: .seconds(10))
                }
                trial.thread { scheduler.schedule { actions.run(3) } }
                trial.finally {
                    actions.expect(disposes ? [2, 3] : [1, 2, 3], perhaps: disposes ? [1] : [])
                    trial.expect(clock.sleeping == 0, "\(clock.sleeping) tasks still sleep")
                }
            }
        }

        @Test("a clock scheduler loses no action, and does not sleep without need", arguments: [false, true])
        func clock(disposes: Bool) { exhaust(timers(disposes: disposes), preemptions: 1) }

        @Test("a repeated action stops, and its task ends, when it is disposed of")
        func interval() {
            exhaust(
                Scenario("a clock: a repeated action and its disposal") { trial in
                    let clock = HandClock()
                    let scheduler = ClockScheduler(clock)
                    let count = Balance()
                    let timer = scheduler.schedule(after: .seconds(1), interval: .seconds(1), leeway: .zero) {
                        [token = trial.token()] in
                        token.touch()
                        count.begin()
                    }
                    trial.thread { for _ in 0..<2 { clock.advance(by: .seconds(1)) } }
                    trial.thread { timer?.dispose() }
                    trial.finally {
                        trial.expect(count.begun <= 2, "run \(count.begun) times")
                        trial.expect(clock.sleeping == 0, "\(clock.sleeping) tasks still sleep")
                    }
                }, preemptions: 1)
        }

        /// An action that schedules itself again `count` times.
        private func recursion(
            _ scheduler: some Scheduler, _ trial: Trial, _ runs: Log<Int>, count: Int
        ) -> (any Disposable)? {
            let inside = Balance()
            return scheduler.scheduleRecursive { [token = trial.token()] reschedule in
                token.touch()
                trial.expect(inside.begun == inside.ended, "a run begins inside another one")
                inside.begin()
                runs.note(runs.entries.count)
                trial.pause()
                inside.end()
                if runs.entries.count <= count { reschedule() }
            }
        }

        @Test(
            "a recursive action runs as often as it was scheduled, unless it is disposed of", arguments: [false, true])
        func recursive(disposes: Bool) {
            exhaust(
                Scenario("a recursive action: three runs beside another action\(disposes ? ", a disposal" : "")") {
                    trial in
                    let scheduler = TrampolineScheduler()
                    let runs = Log<Int>()
                    let others = Balance()
                    let made = Handed<any Disposable>()
                    trial.thread { made.give(self.recursion(scheduler, trial, runs, count: 2)) }
                    trial.thread { scheduler.schedule { others.begin() } }
                    if disposes { trial.thread { made.take()?.dispose() } }
                    trial.finally {
                        let count = runs.entries.count
                        trial.expect(disposes ? count <= 3 : count == 3, "it has run \(count) times")
                        trial.expect(others.begun == 1, "the other action has run \(others.begun) times")
                        made.take()?.dispose()
                    }
                })
        }

        @Test(
            "threads can reschedule a recursive action while another one disposes of it", arguments: [1, 2],
            [false, true]
        )
        func rescheduling(threads: Int, disposes: Bool) {
            exhaust(
                Scenario("a recursive action: \(threads) reschedule it\(disposes ? ", one disposes of it" : "")") {
                    trial in
                    let scheduler = HandScheduler(trial)
                    let runs = Log<Int>()
                    let again = Handed<@Sendable () -> Void>()
                    let recursion = scheduler.scheduleRecursive { [token = trial.token()] reschedule in
                        token.touch()
                        runs.note(1)
                        again.give(reschedule)
                    }
                    scheduler.advance()
                    let reschedule = again.take()
                    for _ in 0..<threads { trial.thread { reschedule?() } }
                    if disposes { trial.thread { recursion?.dispose() } }
                    trial.finally {
                        // Only the run that was scheduled last is taken back. An earlier one does nothing.
                        if disposes, threads == 1 { scheduler.expectEmpty() }
                        scheduler.advance()
                        let count = runs.entries.count
                        trial.expect(count == 1 || !disposes && count == 1 + threads, "it has run \(count) times")
                        recursion?.dispose()
                        again.give(nil)
                    }
                })
        }
    }
}
#endif
