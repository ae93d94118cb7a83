#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Observers that run on an actor, whose executor is one of the exploration.
    @Suite("Isolation")
    struct IsolationExplorations {
        /// Observes on itself.
        private actor Place {
            private let executor = ExploredActorExecutor()
            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
            private let recorder: Recorder<Int, TestFailure>
            private let door: Door?

            init(_ recorder: Recorder<Int, TestFailure>, door: Door? = nil) {
                self.recorder = recorder
                self.door = door
            }

            private func receive(_ event: Event<Int, TestFailure>) async {
                recorder.receive(event)
                if event.value == 1 { await door?.wait() }
            }

            func observe(_ signal: Signal<Int, TestFailure>, _ observation: Held<any Disposable>) {
                observation.value = signal.observeIsolated { await self.receive($0) }
            }

            func start(_ producer: SignalProducer<Int, TestFailure>, _ observation: Held<any Disposable>) {
                observation.value = producer.startIsolated { await self.receive($0) }
            }

            /// From here a disposal takes effect at once.
            func dispose(_ observation: Held<any Disposable>) {
                observation.value?.dispose()
                recorder.isDisposed()
            }
        }

        private func senders(waits: Bool) -> Scenario {
            Scenario("two senders, an end and an observer on an actor\(waits ? " that waits" : "")") { trial in
                let (signal, input) = Signal<Int, TestFailure>.pipe()
                let recorder = Recorder<Int, TestFailure>(trial)
                let door = Door()
                let place = Place(recorder, door: waits ? door : nil)
                let observation = Held<any Disposable>(nil)
                let all = Recorder<Int, TestFailure>(trial, "the other observer")
                signal.observe(all)
                // Nothing is sent before it observes.
                let hasBegun = Door()
                trial.task {
                    await place.observe(signal, observation)
                    hasBegun.open()
                }
                trial.task {
                    await hasBegun.wait()
                    [1, 2].forEach(input.sendNext)
                    input.sendCompleted()
                }
                trial.thread { door.open() }
                trial.finally {
                    trial.expect(recorder.values == all.values, "got \(recorder.values) of \(all.values)")
                    recorder.expectOneEnd()
                    observation.value = nil
                }
            }
        }

        @Test("delivers each event once, in order, also to an observer that waits", arguments: [false, true])
        func observing(waits: Bool) { exhaust(senders(waits: waits), preemptions: 1) }

        @Test("a disposal on the actor takes effect at once")
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

        @Test("a disposal from elsewhere lets no call begin")
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
