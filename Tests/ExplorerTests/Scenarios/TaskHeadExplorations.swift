#if Explore
import ColdProducers
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Producers whose source is a task.
    @Suite("The task head")
    struct TaskHeadExplorations {
        /// A producer of `count` values from a task, which sends them without suspension.
        private static func source(
            _ trial: Trial, count: Int, isFenced: Bool, fails: Bool = false
        ) -> SignalProducer<Int, TestFailure> {
            let token = trial.token()
            return SignalProducer(StreamName("test")) { _, sink in
                TaskHead.run(into: sink, isFenced: isFenced) { head in
                    token.touch()
                    for value in 1...count where !head.next(value) { return }
                    head.end(fails ? .error(TestFailure()) : .completed)
                }
            }
        }

        private func disposals(isFenced: Bool, count: Int, threads: Int = 1) -> Scenario {
            Scenario(
                "\(isFenced ? "with" : "without") a fence: \(count) values, an end, \(threads) disposals"
            ) { trial in
                let start = RecordedStart<Int, TestFailure>(trial)
                start.start(Self.source(trial, count: count, isFenced: isFenced))
                for _ in 0..<threads { trial.thread { start.dispose() } }
                trial.finally { start.expectStart(of: Array(1...count)) }
            }
        }

        @Test("ends once, by itself or by a disposal", arguments: [true, false])
        func disposal(isFenced: Bool) {
            exhaust(quick: 20_000, disposals(isFenced: isFenced, count: 3))
            exhaust(quick: 20_000, disposals(isFenced: isFenced, count: 2, threads: 2))
        }

        @Test("misses no disposal with weak memory", arguments: [true, false])
        func weakMemory(isFenced: Bool) {
            exhaust(quick: 20_000, disposals(isFenced: isFenced, count: 2), staleReads: 2)
        }

        @Test("ends once when a failure or an early end races with a disposal")
        func ends() {
            for fails in [false, true] {
                exhaust(
                    quick: 20_000,
                    Scenario("two of three values, a disposal, fails: \(fails)") { trial in
                        let start = RecordedStart<Int, TestFailure>(trial)
                        let balance = Balance()
                        balance.begin()
                        start.start(
                            Self.source(trial, count: 2, isFenced: true, fails: fails).take(first: fails ? 9 : 1)
                                .on(disposed: { balance.end() }))
                        trial.thread { start.dispose() }
                        trial.finally {
                            start.recorder.expectOneEnd()
                            start.recorder.expectOrder([[1, 2]])
                            balance.expectEven(trial, 1...1)
                            trial.expect(!fails || start.recorder.end != .completed, "it has completed")
                        }
                    })
            }
        }

        @Test("the end of one task does not cancel the work chained after it")
        func concatenation() {
            exhaust(
                quick: 20_000,
                Scenario("one task after another, and a disposal") { trial in
                    let start = RecordedStart<Int, TestFailure>(trial)
                    // Starts in the task of the first producer.
                    let second = SignalProducer<Int, TestFailure> { observer, _ in
                        observer.sendNext(Task.isCancelled ? 3 : 2)
                        observer.sendCompleted()
                    }
                    start.start(Self.source(trial, count: 1, isFenced: true).concat(second))
                    trial.thread { start.dispose() }
                    trial.finally {
                        let values = start.recorder.values
                        start.recorder.expectOneEnd()
                        trial.expect([[], [1], [1, 2]].contains(values), "got \(values)")
                    }
                })
        }

        @Test("on disposal a suspended task is cancelled, and its late result is dropped", arguments: [false, true])
        func suspension(hasWeakMemory: Bool) {
            exhaust(
                quick: 20_000,
                Scenario("an async function that waits, a thread that resumes it, and a disposal") { trial in
                    let start = RecordedStart<Int, TestFailure>(trial)
                    let door = Door()
                    let balance = Balance()
                    let token = trial.token()
                    start.start(
                        .async { () async throws(TestFailure) -> Int in
                            balance.begin()
                            await door.wait()
                            token.touch()
                            balance.end()
                            return 1
                        })
                    trial.thread { door.open() }
                    trial.thread { start.dispose() }
                    trial.finally {
                        balance.expectEven(trial, 0...1)
                        start.expectStart(of: [1])
                    }
                }, preemptions: 1, staleReads: hasWeakMemory ? 2 : 0)
        }

        @Test("an async sequence is iterated once, and not further after a disposal")
        func sequence() {
            for fails in [false, true] {
                exhaust(
                    quick: 20_000,
                    Scenario("a sequence that waits for its last element, and a disposal, fails: \(fails)") { trial in
                        let start = RecordedStart<Int, TestFailure>(trial)
                        let door = Door()
                        start.start(SignalProducer(Elements(elements: [1, 2], door: door, fails: fails)))
                        trial.thread { door.open() }
                        trial.thread { start.dispose() }
                        trial.finally {
                            start.expectStart(of: [1, 2])
                            trial.expect(!fails || start.recorder.end != .completed, "it has completed")
                        }
                    })
            }
        }

        @Test("ends once when an observer and another thread dispose of the start")
        func inside() {
            exhaust(
                quick: 20_000,
                Scenario("a disposal from inside and one from outside") { trial in
                    let disposable = Held<any Disposable>(nil)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let started = Self.source(trial, count: 3, isFenced: true).start { event in
                        recorder.receive(event)
                        if event.value == 2 { disposable.value?.dispose() }
                    }
                    disposable.value = started
                    trial.thread { started.dispose() }
                    trial.finally {
                        recorder.expectOneEnd()
                        trial.expect([[], [1], [1, 2]].contains(recorder.values), "got \(recorder.values)")
                        disposable.value = nil
                    }
                })
        }

        @Test("a completion handler and its cancellation take effect once")
        func callback() {
            exhaust(
                quick: 20_000,
                Scenario("a handler is called, called again, and cancelled") { trial in
                    let start = RecordedStart<Int, TestFailure>(trial)
                    let handler = Held<@Sendable (Result<Int, TestFailure>) -> Void>(nil)
                    let cancellations = Balance()
                    let token = trial.token()
                    start.start(
                        SignalProducer(cancellableCallback: { completion in
                            handler.value = completion
                            return {
                                token.touch()
                                cancellations.begin()
                            }
                        }))
                    trial.thread {
                        handler.value?(.success(1))
                        handler.value = nil
                    }
                    trial.thread { start.dispose() }
                    trial.finally {
                        trial.expect(cancellations.begun <= 1, "cancelled \(cancellations.begun) times")
                        if start.recorder.values == [1] {
                            trial.expect(cancellations.begun == 0, "cancelled after it was called")
                        }
                        start.expectStart(of: [1])
                    }
                })
        }
    }
}
#endif
