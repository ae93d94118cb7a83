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

            /// The operators whose second stream can fail.
            static let taking: [Operator] = [.zip, .combineLatest, .merge, .takeUntilReplacement, .race, .zipBounded]

            /// - Parameter second: The second stream of an operator whose second stream cannot fail.
            func apply(
                _ first: SignalProducer<Int, TestFailure>, _ other: SignalProducer<Int, TestFailure>,
                trigger second: SignalProducer<Int, Never> = .never
            ) -> SignalProducer<[Int], TestFailure> {
                switch self {
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
                _ first: Signal<Int, TestFailure>, _ other: Signal<Int, TestFailure>,
                trigger second: Signal<Int, Never> = .never
            ) -> Signal<[Int], TestFailure>? {
                switch self {
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
                kind.apply(first, second.promoteError(), trigger: second)?.observe(recorder)
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

        @Test("of signals are linearizable if the second one fails", arguments: Operator.taking)
        func hotFailure(of kind: Operator) {
            if kind == .race { return }
            expectLinearizable("hot \(kind), the second one fails") { trial in
                let (first, firstInput) = Signal<Int, TestFailure>.pipe()
                let (second, secondInput) = Signal<Int, TestFailure>.pipe()
                let recorder = Recorder<[Int], TestFailure>(trial)
                kind.apply(first, second)?.observe(recorder)
                return System(
                    threads: [
                        [{ firstInput.sendNext(1) }, { firstInput.sendNext(2) }, { firstInput.sendCompleted() }],
                        [{ secondInput.sendNext(11) }, { secondInput.sendError(TestFailure()) }],
                    ],
                    outcome: { recorder.outcome }
                ) { recorder.expectOneEnd() }
            }
        }

        @Test("of signals can be disposed of at any moment", arguments: disposable)
        func hotDisposal(of kind: Operator) {
            if kind == .race { return }
            expectLinearizable("hot \(kind), disposed of") { trial in
                let (first, firstInput) = Signal<Int, TestFailure>.pipe()
                let (second, secondInput) = Signal<Int, Never>.pipe()
                let recorder = Recorder<[Int], TestFailure>(trial)
                let observation = kind.apply(first, second.promoteError(), trigger: second)?.observe(recorder)
                return System(
                    threads: [
                        [{ firstInput.sendNext(1) }, { firstInput.sendNext(2) }, { firstInput.sendCompleted() }],
                        [{ secondInput.sendNext(11) }, { secondInput.sendCompleted() }],
                        [
                            {
                                observation?.dispose()
                                recorder.isDisposed()
                            }
                        ],
                    ],
                    outcome: { recorder.outcome }
                ) { trial.expect(recorder.ends <= 1, "\(recorder.ends) terminal events") }
            }
        }

        @Test("of producers are linearizable, and clean up once", arguments: Operator.allCases, End.allCases)
        func cold(by kind: Operator, first end: End) {
            expectLinearizable("cold \(kind), the first one \(end)") { trial in
                system(trial, kind, end, isDisposed: false)
            }
        }

        @Test("of producers are linearizable if the second one fails", arguments: Operator.taking)
        func coldFailure(of kind: Operator) {
            expectLinearizable("cold \(kind), the second one fails") { trial in
                let (first, second) = (Source<TestFailure>(trial), Source<TestFailure>(trial))
                let recorder = Recorder<[Int], TestFailure>(trial)
                let start = kind.apply(first.producer, second.producer).start(recorder)
                return System(
                    threads: [
                        [{ first.send(1) }, { first.send(2) }, { first.complete() }],
                        [{ second.send(11) }, { second.fail(TestFailure()) }],
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

        /// A disposal may come between the values that wait for the completion and the completion.
        private static let disposable = Operator.allCases.filter { $0 != .collectUntil && $0 != .windowUntil }

        @Test("of producers can be disposed of at any moment", arguments: disposable)
        func disposal(of kind: Operator) {
            expectLinearizable("cold \(kind), disposed of") { trial in
                system(trial, kind, .completes, isDisposed: true)
            }
        }

        @Test("of producers can be cut off from downstream at any moment", arguments: Operator.taking)
        func cutOff(of kind: Operator) {
            exhaust(
                quick: 2_000,
                Scenario("cold \(kind), cut off") { trial in
                    let (first, second) = (Source<TestFailure>(trial), Source<TestFailure>(trial))
                    let trigger = Source<Never>(trial)
                    let recorder = Recorder<[Int], TestFailure>(trial)
                    let start = kind.apply(first.producer, second.producer).take(until: trigger.producer)
                        .start { event in
                            // What is released must not be sent.
                            let areSent = event.value?.allSatisfy { [1, 2, 11].contains($0) } ?? true
                            trial.expect(areSent, "\(event)")
                            recorder.receive(event)
                        }
                    // One input has a value, the other one has none.
                    first.send(1)
                    trial.thread { first.send(2) }
                    trial.thread { second.send(11) }
                    trial.thread { trigger.send(0) }
                    trial.finally {
                        recorder.expectOneEnd()
                        first.expectCleanups()
                        second.expectCleanups()
                        withExtendedLifetime(start) {}
                    }
                })
        }

        private func system(_ trial: Trial, _ kind: Operator, _ end: End, isDisposed: Bool) -> System {
            let first = Source<TestFailure>(trial)
            let second = Source<Never>(trial)
            let recorder = Recorder<[Int], TestFailure>(trial)
            let start = kind.apply(first.producer, second.producer.promoteError(), trigger: second.producer)
                .start(recorder)
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
