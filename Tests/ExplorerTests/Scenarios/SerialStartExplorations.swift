#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Retry, repeat and other serial starts")
    struct SerialStartExplorations {
        typealias Producer = SignalProducer<Int, TestFailure>

        /// A start of the producer that `make` derives from a source.
        private func system(
            _ trial: Trial, _ source: Source<TestFailure>, others: [Source<TestFailure>] = [],
            _ make: (Producer) -> Producer,
            _ threads: (_ cancel: @escaping @Sendable () -> Void) -> [[@Sendable () -> Void]],
            finish: @escaping () -> Void = {}
        ) -> System {
            let recorder = Recorder<Int, TestFailure>(trial)
            let start = make(source.producer).start(recorder)
            return System(threads: threads { recorder.cancel(start) }, outcome: { recorder.outcome }) {
                finish()
                start.dispose()
                recorder.expectOneEnd()
                for source in [source] + others { source.expectCleanups() }
            }
        }

        @Test("retry: attempts fail on any thread", arguments: [false, true])
        func retry(isDisposed: Bool) {
            expectLinearizable("retry: two attempts fail\(isDisposed ? ", disposed of" : "")", preemptions: 2) {
                trial in
                let source = Source<TestFailure>(trial)
                return system(trial, source) {
                    $0.retry(upTo: 2)
                } _: { cancel in
                    [
                        [{ source.send(1, at: 0) }, { source.fail(TestFailure(), at: 0) }],
                        [{ source.send(11, at: 1) }, { source.fail(TestFailure(), at: 1) }],
                        isDisposed ? [cancel] : [{ source.send(21, at: 2) }, { source.complete(at: 2) }],
                    ]
                }
            }
        }

        @Test("retry: one attempt fails synchronously, another on another thread")
        func retrySynchronously() {
            expectLinearizable("retry: an attempt fails in its start", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial) { observer, number in
                    if number == 1 { observer.sendError(TestFailure()) }
                }
                return system(trial, source) {
                    $0.retry(upTo: 3)
                } _: { cancel in
                    [
                        [{ source.fail(TestFailure(), at: 0) }], [{ source.fail(TestFailure(), at: 2) }], [cancel],
                    ]
                }
            }
        }

        @Test("retry with an interval: the timer fires while the start is disposed of")
        func retryLater() {
            expectLinearizable("retry with an interval", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial)
                let time = HandScheduler(trial)
                return system(trial, source) {
                    $0.retry(upTo: 2, interval: .seconds(1), on: time)
                } _: { cancel in
                    [
                        [{ source.fail(TestFailure(), at: 0) }, { source.fail(TestFailure(), at: 1) }],
                        [{ time.advance(by: 1) }, { time.advance(by: 1) }], [cancel],
                    ]
                } finish: {
                    time.expectEmpty()
                }
            }
        }

        @Test("retry(when:): the trigger sends while an attempt fails, and ends or is disposed of")
        func retryWhen() {
            for isDisposed in [false, true] {
                expectLinearizable("retry(when:)\(isDisposed ? ", disposed of" : "")", preemptions: 2) { trial in
                    let source = Source<TestFailure>(trial)
                    let trigger = Source<TestFailure>(trial)
                    return system(trial, source, others: [trigger]) {
                        $0.retry { _ in trigger.producer }
                    } _: { cancel in
                        [
                            [{ source.send(1, at: 0) }, { source.fail(TestFailure(), at: 0) }],
                            [{ trigger.send(0, at: 0) }, { source.send(11, at: 1) }],
                            isDisposed ? [cancel] : [{ trigger.complete(at: 0) }],
                        ]
                    }
                }
            }
        }

        @Test("retry(when:): the errors are the trigger, and attempts fail on any thread")
        func retryWhenErrors() {
            expectLinearizable("retry(when:) of the errors", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial)
                return system(trial, source) {
                    $0.retry { $0 }
                } _: { cancel in
                    [
                        [{ source.send(1, at: 0) }, { source.fail(TestFailure(), at: 0) }],
                        [{ source.send(11, at: 1) }, { source.fail(TestFailure(), at: 1) }], [cancel],
                    ]
                }
            }
        }

        @Test("repeat: rounds complete on any thread", arguments: [false, true])
        func repeating(isDisposed: Bool) {
            expectLinearizable("repeat: two rounds complete\(isDisposed ? ", disposed of" : "")", preemptions: 2) {
                trial in
                let source = Source<TestFailure>(trial)
                return system(trial, source) {
                    $0.repeat(2)
                } _: { cancel in
                    [
                        [{ source.send(1, at: 0) }, { source.complete(at: 0) }],
                        [{ source.send(11, at: 1) }, { source.complete(at: 1) }],
                        isDisposed ? [cancel] : [{ source.fail(TestFailure(), at: 1) }],
                    ]
                }
            }
        }

        @Test("repeat: a round that a second input ends is cleaned up before the next one", arguments: [false, true])
        func secondInput(isDisposed: Bool) {
            expectLinearizable("repeat: a trigger ends two rounds\(isDisposed ? ", disposed of" : "")", preemptions: 2)
            {
                trial in
                let source = Source<TestFailure>(trial, isExclusive: true)
                let (triggers, trigger) = Signal<Void, Never>.pipe()
                return system(trial, source) {
                    // Each `flatMap` has a signal of its own, so the end passes through two of them.
                    $0.flatMap(.merge) { Producer(value: $0) }.take(until: triggers)
                        .flatMap(.merge) { Producer([$0]) }.repeat(2)
                } _: { cancel in
                    [
                        [{ source.send(1, at: 0) }, { source.send(11, at: 1) }], [{ trigger.sendNext(()) }],
                        isDisposed ? [cancel] : [{ trigger.sendNext(()) }],
                    ]
                }
            }
        }

        @Test("retry and repeat: the source is released while a round ends", arguments: [false, true])
        func release(repeats: Bool) {
            expectLinearizable("\(repeats ? "repeat" : "retry"): the source is released", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial)
                return system(trial, source) {
                    repeats ? $0.repeat(2) : $0.retry(upTo: 2)
                } _: { _ in
                    [
                        [
                            { source.send(1, at: 0) },
                            { if repeats { source.complete(at: 0) } else { source.fail(TestFailure(), at: 0) } },
                        ],
                        [{ source.release(at: 0) }], [{ source.send(11, at: 1) }, { source.complete(at: 1) }],
                    ]
                }
            }
        }

        @Test(
            "switchIfEmpty: the second producer begins while the first one sends, ends or is disposed of",
            arguments: [false, true])
        func switchIfEmpty(isDisposed: Bool) {
            expectLinearizable("switchIfEmpty\(isDisposed ? ", disposed of" : "")", preemptions: 2) { trial in
                let (source, second) = (Source<TestFailure>(trial), Source<TestFailure>(trial))
                return system(trial, source, others: [second]) {
                    $0.switchIfEmpty(second.producer)
                } _: { cancel in
                    [
                        [{ source.complete(at: 0) }],
                        [{ second.send(11, at: 0) }, { second.complete(at: 0) }],
                        isDisposed ? [cancel] : [{ source.send(1, at: 0) }],
                    ]
                }
            }
        }

        enum Sequel: CaseIterable, Sendable {
            case concat, then, flatMapError

            func apply(_ first: Producer, _ second: Producer) -> Producer {
                switch self {
                case .concat: first.concat(second)
                case .then: first.then(second)
                case .flatMapError: first.flatMapError { _ in second }
                }
            }
        }

        @Test(
            "concat, then, flatMapError: both producers send and end on different threads",
            arguments: Sequel.allCases, [false, true])
        func sequel(_ sequel: Sequel, isDisposed: Bool) {
            expectLinearizable("\(sequel)\(isDisposed ? ", disposed of" : "")", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial)
                let second = Source<TestFailure>(trial)
                return system(trial, source, others: [second]) {
                    sequel.apply($0, second.producer)
                } _: { cancel in
                    [
                        [
                            { source.send(1, at: 0) },
                            {
                                if sequel == .flatMapError {
                                    source.fail(TestFailure(), at: 0)
                                } else {
                                    source.complete(at: 0)
                                }
                            },
                        ],
                        [{ second.send(11, at: 0) }, { second.complete(at: 0) }],
                        isDisposed ? [cancel] : [{ source.release() }],
                    ]
                }
            }
        }

        @Test("start(on:): the scheduler runs while the start is disposed of")
        func startOn() {
            expectLinearizable("start(on:)", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial)
                let time = HandScheduler(trial)
                return system(trial, source) {
                    $0.start(on: time)
                } _: { cancel in
                    [[{ time.advance() }], [{ source.send(1, at: 0) }, { source.complete(at: 0) }], [cancel]]
                } finish: {
                    time.expectEmpty()
                }
            }
        }
    }
}
#endif
