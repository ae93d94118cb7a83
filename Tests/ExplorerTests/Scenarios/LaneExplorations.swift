#if Explore
import ColdProducers
import HotSignals
import InterleavingExplorer
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Lanes per key, expansion, and the first success")
    struct LaneExplorations {
        /// A start of an operator that makes inner streams, its sources, and its observer.
        private struct Parts: Sendable {
            let outer: Source<TestFailure>
            let inner: Source<TestFailure>
            let time: HandScheduler
            let recorder: Recorder<Int, TestFailure>
            let start: any Disposable

            init(
                _ trial: Trial,
                _ apply: (
                    SignalProducer<Int, TestFailure>, HandScheduler,
                    @escaping @Sendable (Int) -> SignalProducer<Int, TestFailure>
                ) -> SignalProducer<Int, TestFailure>
            ) {
                let outer = Source<TestFailure>(trial)
                let inner = Source<TestFailure>(trial)
                self.outer = outer
                self.inner = inner
                time = HandScheduler(trial)
                recorder = Recorder(trial)
                let token = trial.token()
                start = apply(outer.producer, time) { _ in
                    token.touch()
                    return inner.producer
                }.start(recorder)
            }

            func system(_ threads: [[@Sendable () -> Void]]) -> System {
                System(threads: threads, outcome: { recorder.outcome }) {
                    outer.complete()
                    for number in 0..<6 { inner.complete(at: number) }
                    recorder.expectOneEnd()
                    outer.expectCleanups()
                    inner.expectCleanups()
                    time.expectEmpty()
                    withExtendedLifetime(start) {}
                }
            }
        }

        // MARK: Lanes

        private static let strategies: [FlattenStrategy] = [
            .concat, .latest, .throttle, .concurrent(limit: 2, ordered: true),
        ]

        private func lanes(
            _ trial: Trial, _ strategy: FlattenStrategy, idle: Duration = .zero, maxKeys: Int = 1,
            _ overflow: Overflow = .dropNewest
        ) -> Parts {
            Parts(trial) { source, time, transform in
                source.flatMap(
                    perKey: { $0 % 2 }, strategy, idle: idle, maxKeys: maxKeys, whenFull: overflow, on: time, transform)
            }
        }

        @Test(
            "a value comes while the work of its key ends, and while the key is forgotten", arguments: strategies,
            [Duration.zero, .seconds(1)])
        func next(strategy: FlattenStrategy, idle: Duration) {
            expectLinearizable("\(strategy), idle \(idle): a value comes while its key is forgotten") { trial in
                let parts = lanes(trial, strategy, idle: idle)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(2) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ parts.time.advance(by: 1) }, { inner.complete(at: 1) }],
                ])
            }
        }

        @Test("a new key comes while another one ends", arguments: [Overflow.dropNewest, .dropOldest])
        func newKey(overflow: Overflow) {
            expectLinearizable("\(overflow): a new key comes while another one ends") { trial in
                let parts = lanes(trial, .concat, idle: .seconds(1), overflow)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ parts.time.advance(by: 1) }],
                ])
            }
        }

        @Test("is disposed of, or an inner stream fails, beside two keys", arguments: [false, true])
        func disposal(fails: Bool) {
            expectLinearizable("lanes: \(fails ? "an inner stream fails" : "disposed of")", preemptions: 2) { trial in
                let parts = lanes(trial, .concat, idle: .seconds(1), maxKeys: 2)
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [
                        {
                            if fails {
                                inner.fail(TestFailure(), at: 1)
                            } else {
                                parts.recorder.cancel(parts.start)
                            }
                        }
                    ],
                ])
            }
        }

        @Test("a group comes to its end beside a value and the end of the source")
        func groups() {
            expectLinearizable("a group that has been idle") { trial in
                let parts = Parts(trial) { source, time, _ in
                    source.groupBy(
                        { $0 % 2 }, bufferLimit: 2, idle: .seconds(1), maxKeys: 1, whenFull: .dropOldest, on: time
                    ).flatMap(.merge) { $0.producer.concat(value: 9) }
                }
                let outer = parts.outer
                outer.send(0)
                return parts.system([
                    [{ outer.send(2) }, { outer.send(1) }],
                    [{ parts.time.advance(by: 1) }],
                    [{ outer.complete() }],
                ])
            }
        }

        // MARK: Expansion

        @Test("values of several levels", arguments: [FlattenStrategy.merge, .concat, .concurrent(limit: 2)])
        func expansion(strategy: FlattenStrategy) {
            expectLinearizable("expand(\(strategy)): values of several levels") { trial in
                let parts = Parts(trial) { source, _, transform in source.expand(strategy, transform) }
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ inner.complete(at: 1) }],
                ])
            }
        }

        @Test("an expansion is disposed of, or fails", arguments: [FlattenStrategy.merge, .concat], [false, true])
        func expansionEnds(strategy: FlattenStrategy, fails: Bool) {
            expectLinearizable("expand(\(strategy)): \(fails ? "fails" : "disposed of")", preemptions: 2) { trial in
                let parts = Parts(trial) { source, _, transform in source.expand(strategy, transform) }
                let (outer, inner) = (parts.outer, parts.inner)
                outer.send(0)
                return parts.system([
                    [{ outer.send(1) }, { outer.complete() }],
                    [{ inner.send(5, at: 0) }, { inner.complete(at: 0) }],
                    [{ if fails { outer.fail(TestFailure()) } else { parts.recorder.cancel(parts.start) } }],
                ])
            }
        }

        // MARK: The first success

        @Test("a value beside an error and the interval", arguments: [false, true])
        func firstSuccess(isDisposed: Bool) {
            expectLinearizable("firstSuccess\(isDisposed ? ", disposed of" : "")", preemptions: 2) { trial in
                let (first, second) = (Source<TestFailure>(trial), Source<TestFailure>(trial))
                let time = HandScheduler(trial)
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = SignalProducer.firstSuccess(
                    [first.producer, second.producer], staggeredBy: .seconds(1), on: time
                ).mapError { _ in TestFailure() }.start(recorder)
                return System(
                    threads: [
                        [{ first.fail(TestFailure()) }],
                        [{ second.send(5) }, { second.complete() }],
                        [{ if isDisposed { recorder.cancel(start) } else { time.advance(by: 1) } }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    first.complete()
                    second.complete()
                    recorder.expectOneEnd()
                    first.expectCleanups()
                    second.expectCleanups()
                    time.expectEmpty()
                    withExtendedLifetime(start) {}
                }
            }
        }

        @Test("two values at the same time")
        func twoValues() {
            expectLinearizable("firstSuccess: two values") { trial in
                let (first, second) = (Source<TestFailure>(trial), Source<TestFailure>(trial))
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = SignalProducer.firstSuccess([first.producer, second.producer])
                    .mapError { _ in TestFailure() }.start(recorder)
                return System(
                    threads: [
                        [{ first.send(1) }, { first.complete() }],
                        [{ second.send(5) }, { second.fail(TestFailure()) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    first.expectCleanups()
                    second.expectCleanups()
                    withExtendedLifetime(start) {}
                }
            }
        }
    }
}
#endif
