#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Operators on two streams")
    struct CombiningExplorations {
        enum Operator: CaseIterable, Sendable {
            case zip, combineLatest, merge, sample, withLatest, takeUntil, takeUntilReplacement, skipUntil, race
            case zipBounded, collectUntil, windowUntil

            func apply(
                _ first: SignalProducer<Int, TestFailure>, _ second: SignalProducer<Int, Never>
            ) -> SignalProducer<[Int], TestFailure> {
                let other = second.promoteError(TestFailure.self)
                return switch self {
                case .zip: first.zip(with: other).map { [$0.0, $0.1] }
                case .combineLatest: first.combineLatest(with: other).map { [$0.0, $0.1] }
                case .merge: first.merge(with: other).map { [$0] }
                case .sample: first.sample(on: second).map { [$0] }
                case .withLatest: first.withLatest(from: second).map { [$0.0, $0.1] }
                case .takeUntil: first.take(until: second).map { [$0] }
                case .takeUntilReplacement: first.take(untilReplacement: other).map { [$0] }
                case .skipUntil: first.skip(until: second).map { [$0] }
                case .race: SignalProducer.race(first, other).map { [$0] }
                case .zipBounded: first.zip(with: other, bufferLimit: 1, whenFull: .dropOldest).map { [$0.0, $0.1] }
                case .collectUntil: first.collect(until: second)
                case .windowUntil:
                    first.window(until: second, bufferLimit: 1, whenFull: .dropNewest).flatMap(.concat) { $0.collect() }
                }
            }

            /// Nil for an operator that only producers have.
            func apply(
                _ first: Signal<Int, TestFailure>, _ second: Signal<Int, Never>
            ) -> Signal<[Int], TestFailure>? {
                let other = second.promoteError(TestFailure.self)
                return switch self {
                case .zip: first.zip(with: other).map { [$0.0, $0.1] }
                case .combineLatest: first.combineLatest(with: other).map { [$0.0, $0.1] }
                case .merge: first.merge(with: other).map { [$0] }
                case .sample: first.sample(on: second).map { [$0] }
                case .withLatest: first.withLatest(from: second).map { [$0.0, $0.1] }
                case .takeUntil: first.take(until: second).map { [$0] }
                case .takeUntilReplacement: first.take(untilReplacement: other).map { [$0] }
                case .skipUntil: first.skip(until: second).map { [$0] }
                case .race: nil
                case .zipBounded: first.zip(with: other, bufferLimit: 1, whenFull: .dropOldest).map { [$0.0, $0.1] }
                case .collectUntil: first.collect(until: second)
                case .windowUntil:
                    first.window(until: second, bufferLimit: 1, whenFull: .dropNewest).flatMap(.concat) { $0.collect() }
                }
            }
        }

        /// How the first stream ends.
        enum End: CaseIterable, Sendable { case completes, fails, isReleased }

        @Test("of signals are linearizable", arguments: Operator.allCases, End.allCases)
        func hot(by kind: Operator, first end: End) {
            if kind == .race { return }
            expectLinearizable("hot \(kind), the first one \(end)") { trial in
                let (first, firstInput) = Signal<Int, TestFailure>.pipe()
                let (second, secondInput) = Signal<Int, Never>.pipe()
                let recorder = Recorder<[Int], TestFailure>(trial)
                kind.apply(first, second)?.observe(recorder)
                let input = Held(firstInput)
                return System(
                    threads: [
                        [
                            { input.value?.sendNext(1) }, { input.value?.sendNext(2) },
                            {
                                switch end {
                                case .completes: input.value?.sendCompleted()
                                case .fails: input.value?.sendError(TestFailure())
                                case .isReleased: input.value = nil
                                }
                            },
                        ],
                        [
                            { secondInput.sendNext(11) }, { secondInput.sendNext(12) }, { secondInput.sendCompleted() },
                        ],
                    ],
                    outcome: { recorder.outcome }
                ) { recorder.expectOneEnd() }
            }
        }

        @Test("of producers are linearizable, and clean up once", arguments: Operator.allCases, End.allCases)
        func cold(by kind: Operator, first end: End) {
            expectLinearizable("cold \(kind), the first one \(end)") { trial in
                system(trial, kind, end, isDisposed: false)
            }
        }

        @Test(
            "of producers can be disposed of at any moment",
            arguments: Operator.allCases.filter {
                // A disposal may come between the values that wait for the completion and the completion.
                $0 != .collectUntil && $0 != .windowUntil
            })
        func disposal(of kind: Operator) {
            expectLinearizable("cold \(kind), disposed of") { trial in
                system(trial, kind, .completes, isDisposed: true)
            }
        }

        private func system(_ trial: Trial, _ kind: Operator, _ end: End, isDisposed: Bool) -> System {
            let first = Source<TestFailure>(trial)
            let second = Source<Never>(trial)
            let recorder = Recorder<[Int], TestFailure>(trial)
            let start = kind.apply(first.producer, second.producer).start(recorder)
            var threads: [[@Sendable () -> Void]] = [
                [
                    { first.send(1) }, { first.send(2) },
                    {
                        switch end {
                        case .completes: first.complete()
                        case .fails: first.fail(TestFailure())
                        case .isReleased: first.release()
                        }
                    },
                ],
                [{ second.send(11) }, { second.complete() }],
            ]
            if isDisposed {
                threads.append([
                    {
                        start.dispose()
                        recorder.isCancelled()
                    }
                ])
            }
            return System(threads: threads, outcome: { recorder.outcome }) {
                recorder.expectOneEnd()
                first.expectCleanups()
                second.expectCleanups()
                _ = start
            }
        }
    }
}
#endif
