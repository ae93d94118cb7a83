#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Taps")
    struct TapExplorations {
        /// Checks what each tapped stream promises to its tap.
        final class CheckingTap: StreamTap, @unchecked Sendable {
            /// What has been called for one stream.
            final class Calls: @unchecked Sendable {
                fileprivate(set) var values: [Int] = []
                fileprivate(set) var terminals = 0
                fileprivate(set) var ends = 0
                fileprivate var waiting: [StreamWaiting.Kind: Int] = [:]
                fileprivate var isInside = false
                fileprivate let state = Trial.State()
                fileprivate let token: Trial.Token

                fileprivate init(_ token: Trial.Token) { self.token = token }
            }

            private(set) var streams: [Calls] = []
            private let state = Trial.State()
            private let trial: Trial

            init(_ trial: Trial) { self.trial = trial }

            func begin(_ stream: TappedStream) -> Calls {
                state.touch()
                let calls = Calls(trial.token())
                streams.append(calls)
                return calls
            }

            func event<Value, Failure>(_ event: Event<Value, Failure>, in calls: Calls) {
                calls.state.touch()
                trial.expect(!calls.isInside, "a tap is notified of an event during another one")
                trial.expect(calls.ends == 0, "a tap is notified of an event after the end")
                trial.expect(calls.terminals == 0, "a tap is notified of an event after a terminal event")
                calls.isInside = true
                if let value = event.value as? Int { calls.values.append(value) }
                if event.isTerminating { calls.terminals += 1 }
                trial.pause()
                calls.state.touch()
                calls.isInside = false
            }

            func waiting(_ waiting: StreamWaiting, in calls: Calls) {
                calls.state.touch()
                trial.expect(calls.ends == 0, "a tap is notified of waiting after the end")
                switch waiting {
                case .began(let kind): calls.waiting[kind, default: 0] += 1
                case .ended(let kind):
                    calls.waiting[kind, default: 0] -= 1
                    trial.expect(calls.waiting[kind]! >= 0, "\(kind): more have gone on than have waited")
                }
                trial.pause()
            }

            func end(_ calls: Calls) {
                calls.state.touch()
                trial.expect(!calls.isInside, "a tap is notified of the end during an event")
                calls.ends += 1
                trial.expect(calls.ends == 1, "a tap is notified of \(calls.ends) ends")
            }

            /// Expects that each stream has ended, and that what has waited goes on.
            func check(_ count: Int) {
                trial.expect(streams.count == count, "\(streams.count) streams begin instead of \(count)")
                for calls in streams {
                    trial.expect(calls.ends == 1, "a tap is notified of \(calls.ends) ends")
                    trial.expect(calls.waiting.values.allSatisfy { $0 == 0 }, "still waiting: \(calls.waiting)")
                }
            }
        }

        static let contentions: [Contention] = [.wait, .enqueue]

        @Test("of a signal see what its observer sees, and then the end", arguments: contentions)
        func signal(contention: Contention) {
            exhaust(
                Scenario("\(contention): a tapped signal, two senders and an end") { trial in
                    let tap = CheckingTap(trial)
                    let (signal, input) = Signal<Int, TestFailure>.pipe(contention: contention)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    signal.tapped(by: tap).observe(recorder)
                    trial.thread { [1, 2].forEach(input.sendNext) }
                    trial.thread {
                        input.sendNext(11)
                        input.sendError(TestFailure())
                    }
                    trial.finally {
                        recorder.expectOneEnd()
                        tap.check(1)
                        trial.expect(
                            tap.streams[0].values == recorder.values, "\(tap.streams[0].values), \(recorder.values)")
                    }
                }, preemptions: 1)
        }

        @Test("of a signal are told of each thread that waits, while an observation is disposed of")
        func disposalOfSignal() {
            exhaust(
                Scenario("a tapped signal, two senders and a disposal") { trial in
                    let tap = CheckingTap(trial)
                    let (signal, input) = Signal<Int, Never>.pipe()
                    let recorder = Recorder<Int, Never>(trial)
                    let observation = signal.tapped(by: tap).observe(recorder)
                    trial.thread { [1, 2].forEach(input.sendNext) }
                    trial.thread { input.sendNext(11) }
                    trial.thread {
                        observation?.dispose()
                        recorder.isDisposed()
                    }
                    trial.finally {
                        input.sendCompleted()
                        tap.check(1)
                        let values = tap.streams[0].values
                        trial.expect(values.starts(with: recorder.values), "\(values), \(recorder.values)")
                    }
                }, preemptions: 1)
        }

        /// What is tapped: a start handler, whose gate keeps the events apart, or a chain.
        enum Work: CaseIterable, CustomStringConvertible {
            case handler, chain

            var description: String { self == .handler ? "a start handler" : "a chain" }

            func producer<Failure>(_ source: Source<Failure>) -> SignalProducer<Int, Failure> {
                self == .handler ? source.producer : source.producer.map { $0 }
            }
        }

        @Test("of a start end once, whatever ends it", arguments: Work.allCases)
        func start(of work: Work) {
            exhaust(
                Scenario("\(work) with a tap, a sender that completes, and a disposal") { trial in
                    let tap = CheckingTap(trial)
                    let source = Source<TestFailure>(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = work.producer(source).tapped(by: tap).start(recorder)
                    trial.thread {
                        [1, 2].forEach(source.send)
                        source.complete()
                    }
                    trial.thread { source.send(11) }
                    trial.thread { recorder.cancel(start) }
                    trial.finally {
                        recorder.expectOneEnd()
                        source.expectCleanups()
                        tap.check(1)
                        trial.expect(tap.streams[0].terminals == 1, "the tap is not notified of the terminal event")
                    }
                }, preemptions: 1)
        }

        @Test("of a start that is disposed of while it begins see that it is interrupted", arguments: Work.allCases)
        func beginning(of work: Work) {
            exhaust(
                Scenario("\(work) with a tap begins, and is disposed of") { trial in
                    let tap = CheckingTap(trial)
                    let source = Source<TestFailure>(trial) { observer, _ in observer.sendNext(1) }
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let interrupter = CompositeDisposable()
                    trial.thread {
                        work.producer(source).tapped(by: tap).startWithSignal { signal, disposable in
                            signal.observe(recorder)
                            interrupter += disposable
                        }
                    }
                    trial.thread { interrupter.dispose() }
                    trial.finally {
                        interrupter.dispose()
                        recorder.expectOneEnd()
                        source.expectCleanups()
                        for calls in tap.streams {
                            trial.expect(calls.terminals == 1, "the tap is not notified of the interruption")
                            trial.expect(calls.values.starts(with: recorder.values), "\(recorder.values)")
                        }
                        tap.check(tap.streams.count)
                    }
                }, preemptions: 2)
        }

        @Test("of a start end once when the chain downstream ends while it begins", arguments: Work.allCases)
        func cutOff(of work: Work) {
            exhaust(
                Scenario("\(work) with a tap begins and sends, and a trigger ends the chain") { trial in
                    let tap = CheckingTap(trial)
                    let source = Source<Never>(trial) { observer, _ in observer.sendNext(1) }
                    let recorder = Recorder<Int, Never>(trial)
                    let (trigger, triggerInput) = Signal<Int, Never>.pipe()
                    trial.thread {
                        _ = work.producer(source).tapped(by: tap).take(until: trigger).start(recorder)
                        source.send(2)
                    }
                    trial.thread { triggerInput.sendNext(0) }
                    trial.finally {
                        triggerInput.sendNext(0)
                        recorder.expectOneEnd()
                        source.expectCleanups()
                        tap.check(tap.streams.count)
                    }
                }, preemptions: 2)
        }

        @Test("of a property see each change, until the result is released")
        func property() {
            exhaust(
                Scenario("a tapped property, two setters, a release") { trial in
                    let tap = CheckingTap(trial)
                    let property = MutableProperty(0)
                    let tapped = Held(property.map { $0 * 10 }.tapped(by: tap))
                    trial.thread { for value in [1, 2] { property.value = value } }
                    trial.thread { property.value = 3 }
                    trial.thread { tapped.value = nil }
                    trial.finally {
                        tap.check(1)
                        trial.expect(tap.streams[0].values.first == 0, "\(tap.streams[0].values)")
                    }
                }, preemptions: 1)
        }

        @Test("of an action see each execution begin and end", arguments: ActionExplorations.policies)
        func action(policy: ActionPolicy) {
            exhaust(
                Scenario("a tapped action: a start beside a disposal and an end, \(policy)") { trial in
                    let tap = CheckingTap(trial)
                    let units = Units(trial, policy)
                    let action = units.make()
                    action.tapped(by: tap)
                    let running = units.start(action, 100)
                    trial.thread { units.end(100, sending: 7) }
                    trial.thread { running.dispose() }
                    trial.thread { units.start(action, 1) }
                    trial.finally {
                        units.check(action)
                        tap.check(2)
                    }
                }, preemptions: 1)
        }
    }
}
#endif
