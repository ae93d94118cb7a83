#if Explore
import ColdProducers
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Flattening")
    struct FlatteningExplorations {
        static let strategies: [FlattenStrategy] = [
            .merge, .concat, .concurrent(limit: 2), .latest, .race, .throttle, .concurrent(limit: 2, ordered: true),
            .concat(waiting: 1, whenFull: .dropOldest),
        ]

        /// A start of `flatMap`, its sources, and its observer.
        private struct Parts: Sendable {
            let outer: Source<TestFailure>
            let inner: Source<TestFailure>
            let recorder: Recorder<Int, TestFailure>
            let start: any Disposable

            init(
                _ trial: Trial, _ strategy: FlattenStrategy, contention: Contention = .wait,
                work: @escaping @Sendable (Signal<Int, TestFailure>.Observer, Int) -> Void = { _, _ in }
            ) {
                let outer = Source<TestFailure>(trial)
                let inner = Source<TestFailure>(trial, contention: contention, work: work)
                self.outer = outer
                self.inner = inner
                recorder = Recorder(trial)
                let token = trial.token()
                start = outer.producer.flatMap(strategy) { _ -> SignalProducer<Int, TestFailure> in
                    token.touch()
                    return inner.producer
                }.start(recorder)
            }

            func system(_ threads: [[@Sendable () -> Void]]) -> System {
                System(threads: threads, outcome: { recorder.outcome }) {
                    outer.complete()
                    for number in 0..<4 { inner.complete(at: number) }
                    recorder.expectOneEnd()
                    outer.expectCleanups()
                    inner.expectCleanups()
                    withExtendedLifetime(start) {}
                }
            }
        }

        @Test("an inner stream arrives while another one ends", arguments: strategies)
        func next(strategy: FlattenStrategy) {
            expectLinearizable("\(strategy): an inner stream comes while another one ends") { trial in
                let parts = Parts(trial, strategy)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ inner.send(15, at: 1) }, { inner.complete(at: 1) }],
                ])
            }
        }

        @Test(
            "an inner stream sends while the next one arrives and sends", arguments: strategies,
            [Contention.wait, .enqueue])
        func supersession(strategy: FlattenStrategy, contention: Contention) {
            expectLinearizable(
                "\(strategy), \(contention): an inner stream sends beside the next one", preemptions: 2
            ) { trial in
                let parts = Parts(trial, strategy, contention: contention)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ inner.send(5, at: 0) }, { inner.send(6, at: 0) }],
                    [{ outer.send(1) }, { inner.send(15, at: 1) }],
                ])
            }
        }

        /// Only one thread of an exploration runs at a time.
        private final class Tally: @unchecked Sendable { var count = 0 }

        enum End: CaseIterable { case completed, failed, released }

        @Test(
            "an inner stream ends, in any way, while the next one arrives and sends", arguments: strategies,
            End.allCases)
        func end(strategy: FlattenStrategy, end: End) {
            expectLinearizable("\(strategy): an inner stream is \(end) beside the next one", preemptions: 2) { trial in
                let parts = Parts(trial, strategy)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ inner.send(5, at: 0) }, { inner.end(end, at: 0) }],
                    [{ outer.send(1) }, { inner.send(15, at: 1) }],
                ])
            }
        }

        @Test("outer values, the outer end and the ends of inner streams race", arguments: strategies, End.allCases)
        func ends(strategy: FlattenStrategy, end: End) {
            expectLinearizable("\(strategy): two inner streams are \(end) beside outer values") { trial in
                let parts = Parts(trial, strategy)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { outer.send(2) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.end(end, at: 0) }],
                    [{ inner.send(15, at: 1) }, { inner.fail(TestFailure(), at: 1) }],
                ])
            }
        }

        @Test("the outer stream ends while two inner streams are running or queued", arguments: strategies)
        func two(strategy: FlattenStrategy) {
            expectLinearizable("\(strategy): two inner streams") { trial in
                let parts = Parts(trial, strategy)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                outer.send(1)
                return parts.system([
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ inner.send(15, at: 1) }, { inner.complete(at: 1) }],
                    [{ outer.complete() }],
                ])
            }
        }

        @Test("an inner stream fails while another one and the outer stream send", arguments: strategies)
        func failure(strategy: FlattenStrategy) {
            expectLinearizable("\(strategy): an inner stream fails") { trial in
                let parts = Parts(trial, strategy)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                outer.send(1)
                return parts.system([
                    [{ inner.send(5, at: 0) }, { inner.fail(TestFailure(), at: 0) }],
                    [{ inner.send(15, at: 1) }, { inner.complete(at: 1) }],
                    [{ outer.send(2) }, { outer.complete() }],
                ])
            }
        }

        @Test("the outer stream fails or is released while inner streams send", arguments: strategies, [false, true])
        func outerFailure(strategy: FlattenStrategy, isReleased: Bool) {
            expectLinearizable("\(strategy): the outer stream \(isReleased ? "is released" : "fails")") { trial in
                let parts = Parts(trial, strategy)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { if isReleased { outer.release() } else { outer.fail(TestFailure()) } }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ inner.send(15, at: 1) }],
                ])
            }
        }

        @Test("can be disposed of while the outer and an inner stream send", arguments: strategies)
        func disposal(strategy: FlattenStrategy) {
            expectLinearizable("\(strategy): disposed of", preemptions: 2) { trial in
                let parts = Parts(trial, strategy)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ parts.recorder.cancel(parts.start) }],
                ])
            }
        }

        @Test("inner streams send synchronously, and the second one ends synchronously", arguments: strategies)
        func work(strategy: FlattenStrategy) {
            expectLinearizable("\(strategy): inner streams that send in their start") { trial in
                let parts = Parts(trial, strategy) { observer, number in
                    observer.sendNext(10 * number)
                    if number == 1 { observer.sendCompleted() }
                }
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { outer.send(2) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ parts.recorder.cancel(parts.start) }],
                ])
            }
        }

        @Test("inner streams of one value arrive from two threads", arguments: strategies)
        func values(strategy: FlattenStrategy) {
            expectLinearizable("\(strategy): inner streams of one value") { trial in
                let outer = Source<Never>(trial)
                let recorder = Recorder<Int, Never>(trial)
                let start = outer.producer.flatMap(strategy) { SignalProducer<Int, Never>(value: $0) }.start(recorder)
                return System(
                    threads: [
                        [{ outer.send(1) }, { outer.send(2) }],
                        [{ outer.send(11) }, { outer.complete() }],
                        [{ recorder.cancel(start) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    outer.expectCleanups()
                }
            }
        }

        @Test("a failure is not lost while another inner stream completes")
        func failureBesideCompletion() {
            exhaust(
                Scenario("merge: one inner stream fails, the other completes") { trial in
                    let inputs = (0..<2).map { _ in Held<Signal<Int, TestFailure>.Observer>(nil) }
                    let inner = inputs.map { input in
                        SignalProducer<Int, TestFailure> { [token = trial.token()] observer, lifetime in
                            lifetime.observeEnded { token.touch() }
                            input.value = observer
                        }
                    }
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = SignalProducer.merge(inner).start(recorder)
                    trial.thread {
                        inputs[0].value?.sendNext(1)
                        inputs[0].value?.sendError(TestFailure())
                    }
                    trial.thread { inputs[1].value?.sendCompleted() }
                    trial.finally {
                        recorder.expectOneEnd()
                        trial.expect(
                            recorder.end == .error(TestFailure()), "the end is \(String(describing: recorder.end))")
                        start.dispose()
                        for input in inputs { input.value = nil }
                    }
                })
        }

        @Test(
            "a stream begins when the resources of the one before are free",
            arguments: zip(
                [.concat, .throttle, .concurrent(limit: 2, ordered: true)] as [FlattenStrategy], [1, 1, 2]))
        func places(strategy: FlattenStrategy, limit: Int) {
            exhaust(
                quick: 2_000,
                Scenario("\(strategy): an inner stream ends beside an outer value") { trial in
                    let open = Tally()
                    let inputs = (0...limit).map { _ in Held<Signal<Int, TestFailure>.Observer>(nil) }
                    let outer = Source<TestFailure>(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = outer.producer.flatMap(strategy) { number in
                        SignalProducer<Int, TestFailure> { [token = trial.token()] observer, lifetime in
                            open.count += 1
                            trial.expect(open.count <= limit, "\(open.count) streams hold resources")
                            inputs[number].value = observer
                            lifetime.observeEnded {
                                token.touch()
                                open.count -= 1
                            }
                        }
                    }.start(recorder)
                    for number in 0..<limit { outer.send(number) }
                    for number in 0..<limit { trial.thread { inputs[number].value?.sendCompleted() } }
                    trial.thread { outer.send(limit) }
                    trial.finally {
                        start.dispose()
                        for input in inputs { input.value = nil }
                        trial.expect(open.count == 0, "\(open.count) streams hold resources at the end")
                    }
                })
        }

        @Test("a delayed error is held until the other stream has ended", arguments: [false, true])
        func delayedError(disposes: Bool) {
            exhaust(
                quick: 2_000,
                Scenario("merge, delayed errors: one of two fails\(disposes ? ", and a disposal" : "")") { trial in
                    let sources = (0..<2).map { _ in Source<TestFailure>(trial) }
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = SignalProducer.merge(sources.map(\.producer), delayErrors: .first).start(recorder)
                    trial.thread {
                        sources[0].send(1)
                        sources[0].fail(TestFailure())
                    }
                    trial.thread {
                        sources[1].send(11)
                        sources[1].complete()
                    }
                    if disposes { trial.thread { recorder.cancel(start) } }
                    trial.finally {
                        recorder.expectOneEnd()
                        if !disposes {
                            trial.expect(Set(recorder.values) == [1, 11], "got \(recorder.values)")
                            trial.expect(
                                recorder.end == .error(TestFailure()),
                                "the end is \(String(describing: recorder.end))")
                        }
                        for source in sources { source.expectCleanups() }
                    }
                })
        }
    }
}

extension Source<TestFailure> {
    fileprivate func end(_ end: AllExplorations.FlatteningExplorations.End, at number: Int) {
        switch end {
        case .completed: complete(at: number)
        case .failed: fail(TestFailure(), at: number)
        case .released: release(at: number)
        }
    }
}
#endif
