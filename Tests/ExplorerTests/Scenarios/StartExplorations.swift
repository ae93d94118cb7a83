#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Starts and their disposal")
    struct StartExplorations {
        static let contentions: [Contention] = [.wait, .enqueue]

        /// An object that is released with an observer.
        private final class Captured: Sendable {}

        private struct Weak {
            weak var object: Captured?
        }

        @Test("a start that is disposed of while two threads send releases its observer", arguments: contentions)
        func disposal(contention: Contention) {
            expectLinearizable("\(contention): a start beside two senders, disposed of", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial, contention: contention)
                let recorder = Recorder<Int, TestFailure>(trial)
                var captured: Captured? = Captured()
                let observer = Weak(object: captured)
                let start = source.producer.start { [captured] event in
                    withExtendedLifetime(captured) { recorder.receive(event) }
                }
                captured = nil
                return System(
                    threads: [
                        [{ source.send(1) }, { source.send(2) }], [{ source.send(11) }, { source.complete() }],
                        [{ recorder.cancel(start) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                    // The disposable and the input still exist, but do not hold it.
                    trial.expect(observer.object == nil, "the observer is still held")
                    withExtendedLifetime(start) {}
                }
            }
        }

        @Test("an observer disposes of its own start while another thread sends", arguments: contentions)
        func inside(contention: Contention) {
            expectLinearizable("\(contention): disposal from inside", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial, contention: contention)
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = Held<any Disposable>(nil)
                start.value = source.producer.start { event in
                    recorder.receive(event)
                    if event.value == 1 { recorder.cancel(start.value) }
                }
                return System(
                    threads: [
                        [{ source.send(1) }, { source.send(2) }], [{ source.send(11) }, { source.complete() }],
                        [{ source.send(21) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                    start.value = nil
                }
            }
        }

        @Test("the input is released while another thread sends or disposes of the start", arguments: contentions)
        func release(contention: Contention) {
            expectLinearizable("\(contention): the input is released", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial, contention: contention)
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = source.producer.start(recorder)
                return System(
                    threads: [
                        [{ source.send(1) }, { source.send(2) }], [{ source.release() }], [{ recorder.cancel(start) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                }
            }
        }

        @Test("the source fails while another thread completes it or disposes of the start", arguments: contentions)
        func failure(contention: Contention) {
            expectLinearizable("\(contention): the source fails", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial, contention: contention)
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = source.producer.start(recorder)
                return System(
                    threads: [
                        [{ source.send(1) }, { source.fail(TestFailure()) }],
                        [{ source.send(11) }, { source.complete() }],
                        [{ recorder.cancel(start) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                }
            }
        }

        @Test("an operator ends a start early while other threads send", arguments: contentions)
        func early(contention: Contention) {
            expectLinearizable("\(contention): take(first:) beside three senders") { trial in
                let source = Source<TestFailure>(trial, contention: contention)
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = source.producer.map { $0 }.take(first: 2).start(recorder)
                return System(
                    threads: [
                        [{ source.send(1) }, { source.send(2) }], [{ source.send(11) }, { source.complete() }],
                        [{ source.send(21) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                    withExtendedLifetime(start) {}
                }
            }
        }

        @Test("startWithSignal: observations and the start are disposed of", arguments: contentions)
        func startWithSignal(contention: Contention) {
            expectLinearizable("\(contention): startWithSignal, interrupted") { trial in
                let source = Source<TestFailure>(trial, contention: contention)
                let recorders = (0..<2).map { Recorder<Int, TestFailure>(trial, "observer \($0)") }
                let interrupter = Held<any Disposable>(nil)
                let observation = source.producer.startWithSignal { signal, disposable in
                    interrupter.value = disposable
                    signal.observe(recorders[0])
                    return signal.observe(recorders[1])
                }
                return System(
                    threads: [
                        [{ source.send(1) }, { source.complete() }],
                        [
                            {
                                observation?.dispose()
                                recorders[1].isDisposed()
                            }
                        ],
                        [{ interrupter.value?.dispose() }],
                    ],
                    outcome: { recorders[0].outcome }
                ) {
                    recorders[0].expectOneEnd()
                    source.expectCleanups()
                    interrupter.value = nil
                }
            }
        }

        @Test(
            "startWithSignal: the work is cancelled when the last observation is disposed of", arguments: contentions)
        func abandoned(contention: Contention) {
            exhaust(
                Scenario("\(contention): startWithSignal, both observations go") { trial in
                    let source = Source<TestFailure>(trial, contention: contention)
                    let recorders = (0..<2).map { Recorder<Int, TestFailure>(trial, "observer \($0)") }
                    let observations = source.producer.startWithSignal { signal, _ in
                        recorders.map { signal.observe($0) }
                    }
                    trial.thread { [1, 2].forEach(source.send) }
                    for index in 0..<2 {
                        trial.thread {
                            observations[index]?.dispose()
                            recorders[index].isDisposed()
                        }
                    }
                    trial.finally {
                        for recorder in recorders { trial.expect(recorder.ends == 0, "an observation has ended") }
                        source.expectCleanups()
                    }
                }, preemptions: 1)
        }

        @Test("a start of two starts cancels both", arguments: [false, true])
        func composite(isDisposed: Bool) {
            expectLinearizable("a start of two starts, \(isDisposed ? "disposed of" : "ended")") { trial in
                let sources = (0..<2).map { _ in Source<TestFailure>(trial) }
                let recorder = Recorder<Int, TestFailure>(trial)
                let both = SignalProducer<Int, TestFailure> { observer, lifetime in
                    for source in sources { lifetime += source.producer.start { observer.send($0) } }
                }
                let start = both.start(recorder)
                return System(
                    threads: [
                        [{ sources[0].send(1) }, { sources[0].complete() }],
                        [{ sources[1].send(11) }, { sources[1].fail(TestFailure()) }],
                        isDisposed ? [{ recorder.cancel(start) }] : [{ sources[0].release() }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    for source in sources { source.expectCleanups() }
                }
            }
        }

        @Test("operators are cleaned up before their source if a disposal meets the end")
        func cleanups() {
            exhaust(
                quick: 2_000,
                Scenario("two operators that are cleaned up, a disposal, and an end") { trial in
                    let order = Trial.State()
                    let cleanedUp = Held("")
                    let note: @Sendable (String) -> Void = { name in
                        trial.pause()
                        order.touch()
                        cleanedUp.value?.append(name)
                    }
                    let input = Held<Signal<Int, TestFailure>.Observer>(nil)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let source = SignalProducer<Int, TestFailure> { observer, lifetime in
                        input.value = observer
                        lifetime.observeEnded { note("source") }
                    }
                    let start = source.on(disposed: { note("second, ") }).map { $0 }.on(disposed: { note("first, ") })
                        .take(until: SignalProducer<Int, Never>.never)
                        .start(recorder)
                    let completed = input.value
                    trial.thread { recorder.cancel(start) }
                    trial.thread { completed?.sendCompleted() }
                    trial.finally {
                        recorder.expectOneEnd()
                        trial.expect(cleanedUp.value == "first, second, source", cleanedUp.value ?? "")
                        input.value = nil
                    }
                })
        }

        @Test("a serial disposable in a start disposes of each inner start once")
        func serial() {
            exhaust(
                Scenario("a serial disposable in a start") { trial in
                    let source = Source<TestFailure>(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let serial = SerialDisposable()
                    let outer = SignalProducer<Int, TestFailure> { _, lifetime in lifetime += serial }
                    let start = outer.start(recorder)
                    for _ in 1...2 {
                        trial.thread {
                            serial.inner = source.producer.start { [token = trial.token()] _ in token.touch() }
                        }
                    }
                    trial.thread { recorder.cancel(start) }
                    trial.finally {
                        trial.expect(serial.inner == nil, "the serial disposable holds what it has disposed of")
                        recorder.expectOneEnd()
                        source.expectCleanups()
                        trial.expect(source.starts == 2, "\(source.starts) starts")
                    }
                })
        }

        @Test("a composite disposable runs each action once, unless it is removed")
        func adding() {
            exhaust(
                Scenario("a composite disposable: add, remove, dispose") { trial in
                    let composite = CompositeDisposable()
                    nonisolated(unsafe) var runs = [0, 0, 0]
                    let add: @Sendable (Int) -> (any Disposable)? = { index in
                        composite.add { [token = trial.token()] in
                            token.touch()
                            runs[index] += 1
                        }
                    }
                    let handle = add(0)
                    trial.thread { handle?.dispose() }
                    trial.thread { for index in 1...2 { _ = add(index) } }
                    trial.thread { composite.dispose() }
                    trial.finally {
                        trial.expect(runs[0] <= 1 && runs[1] == 1 && runs[2] == 1, "the actions have run \(runs)")
                    }
                })
        }

        @Test("a lifetime runs each action once, on whichever thread it is added or ended")
        func lifetime() {
            exhaust(
                Scenario("a lifetime: two add, one ends") { trial in
                    nonisolated(unsafe) var runs = [0, 0]
                    let lifetime = Held<Lifetime>(nil)
                    let recorder = Recorder<Int, Never>(trial)
                    let producer = SignalProducer<Int, Never> { _, new in lifetime.value = new }
                    let start = producer.start(recorder)
                    for index in 0..<2 {
                        trial.thread {
                            lifetime.value?.observeEnded { [token = trial.token()] in
                                token.touch()
                                runs[index] += 1
                            }
                        }
                    }
                    trial.thread { recorder.cancel(start) }
                    trial.finally {
                        trial.expect(runs == [1, 1], "the actions have run \(runs)")
                        recorder.expectOneEnd()
                        lifetime.value = nil
                    }
                })
        }
    }
}
#endif
