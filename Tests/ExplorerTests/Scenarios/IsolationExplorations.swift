#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Observers that run on an actor with an executor of the exploration.
    @Suite("Isolation")
    struct IsolationExplorations {
        /// An actor that observes on its own executor.
        private actor Place {
            private let executor = ExploredActorExecutor()
            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
            private let recorder: Recorder<Int, TestFailure>

            init(_ recorder: Recorder<Int, TestFailure>) { self.recorder = recorder }

            private func receive(_ event: Event<Int, TestFailure>) { recorder.receive(event) }

            func observe(_ signal: Signal<Int, TestFailure>, _ observation: Held<any Disposable>) {
                observation.value = signal.observeIsolated { self.receive($0) }
            }

            func start(_ producer: SignalProducer<Int, TestFailure>, _ observation: Held<any Disposable>) {
                observation.value = producer.startIsolated { self.receive($0) }
            }

            /// A disposal on the actor takes effect immediately.
            func dispose(_ observation: Held<any Disposable>) {
                observation.value?.dispose()
                recorder.isDisposed()
            }
        }

        enum End: CaseIterable, Sendable { case completes, fails, isReleased }

        private func senders(_ end: End) -> Scenario {
            Scenario("two values, an observer on an actor, and the signal \(end)") { trial in
                let pipe = Signal<Int, TestFailure>.pipe()
                let (signal, input) = (pipe.output, Held(pipe.input))
                let recorder = Recorder<Int, TestFailure>(trial)
                let place = Place(recorder)
                let observation = Held<any Disposable>(nil)
                let all = Recorder<Int, TestFailure>(trial, "the other observer")
                signal.observe(all)
                // The thread sends nothing before the actor observes.
                let hasBegun = Door()
                trial.task {
                    await place.observe(signal, observation)
                    hasBegun.open()
                }
                trial.task {
                    await hasBegun.wait()
                    for value in [1, 2] { input.value?.sendNext(value) }
                    switch end {
                    case .completes: input.value?.sendCompleted()
                    case .fails: input.value?.sendError(TestFailure())
                    case .isReleased: input.value = nil
                    }
                }
                trial.finally {
                    trial.expect(recorder.end == all.end, "the end is \(String(describing: recorder.end))")
                    trial.expect(recorder.values == all.values, "got \(recorder.values) of \(all.values)")
                    recorder.expectOneEnd()
                    observation.value = nil
                }
            }
        }

        @Test("delivers each event once, in order", arguments: End.allCases)
        func observing(end: End) { exhaust(senders(end), preemptions: 1) }

        @Test("a disposal on the actor takes effect immediately")
        func disposal() {
            exhaust(
                Scenario("a sender, and a disposal on the actor") { trial in
                    let (signal, input) = Signal<Int, TestFailure>.pipe()
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let place = Place(recorder)
                    let observation = Held<any Disposable>(nil)
                    trial.task {
                        await place.observe(signal, observation)
                        await place.dispose(observation)
                    }
                    trial.thread {
                        [1, 2].forEach(input.sendNext)
                        input.sendCompleted()
                    }
                    trial.finally {
                        trial.expect(
                            [[], [1], [2], [1, 2]].contains(recorder.values), "got \(recorder.values)")
                        observation.value = nil
                    }
                }, preemptions: 1)
        }

        @Test("a disposal on another thread lets no later call begin")
        func outside() {
            exhaust(
                Scenario("a start on an actor, and a disposal from another thread") { trial in
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let place = Place(recorder)
                    let observation = Held<any Disposable>(nil)
                    let balance = Balance()
                    let producer = SignalProducer<Int, TestFailure> { [token = trial.token()] observer, lifetime in
                        balance.begin()
                        lifetime.observeEnded {
                            token.touch()
                            balance.end()
                        }
                        [1, 2].forEach(observer.sendNext)
                        observer.sendCompleted()
                    }
                    trial.task { await place.start(producer, observation) }
                    trial.thread {
                        guard let started = observation.value else { return }
                        started.dispose()
                        recorder.isDisposed()
                    }
                    trial.finally {
                        balance.expectEven(trial, 1...1)
                        trial.expect([1, 2].starts(with: recorder.values), "got \(recorder.values)")
                        observation.value = nil
                    }
                })
        }
    }
}
#endif
