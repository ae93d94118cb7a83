#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// A set that changes two combinations, the gate of one of which is offered while the observer of the other is
    /// called.
    @Suite("Events behind a slow observer")
    struct OfferedEventExplorations {
        /// What another thread does meanwhile.
        enum Other: CaseIterable, Sendable { case sets, starts, observes, disposes, releases }

        private func scenario(_ other: Other, nested: Bool) -> Scenario {
            Scenario("a set, \(nested ? "an observer that sets, " : "")and another thread that \(other)") { trial in
                let config = MutableProperty(0)
                let owns = [MutableProperty(1), MutableProperty(2)]
                let both = owns.map { own in own.combineLatest(with: config).map { Pair($0) } }
                let recorders = both.map { _ in Recorder<Pair, Never>(trial) }
                // The combinations are delivered in an order of their own, so both have such an observer.
                config.signal.observeNext { value in
                    trial.pause()
                    if nested, value == 1 { owns[1].value += 10 }
                }
                let observations = zip(both, recorders).map { Held($0.signal.observe($1)) }
                let started = Recorder<Pair, Never>(trial, "the start")
                let kept = Held(both)
                trial.thread { config.value = 1 }
                trial.thread {
                    switch other {
                    case .sets:
                        owns[0].value += 10
                        trial.expect(recorders[0].values.last?.left == 11, "returned before its event")
                    case .starts: _ = kept.value?[0].producer.start(started)
                    case .observes: _ = kept.value?[0].signal.observe(started)
                    case .disposes:
                        observations[0].value?.dispose()
                        recorders[0].isDisposed()
                    case .releases: kept.value = nil
                    }
                }
                trial.finally {
                    let lasts = recorders.map { $0.values.last }
                    trial.expect(other == .disposes || lasts[0] == Pair(other == .sets ? 11 : 1, 1), "\(lasts)")
                    trial.expect(lasts[1] == Pair(nested ? 12 : 2, 1), "\(lasts)")
                    for recorder in recorders {
                        trial.expect(Set(recorder.values).count == recorder.values.count, "twice: \(recorder.values)")
                        let isInOrder = zip(recorder.values, recorder.values.dropFirst()).allSatisfy {
                            $0.left <= $1.left && $0.right <= $1.right
                        }
                        trial.expect(isInOrder, "out of order: \(recorder.values)")
                    }
                    if other == .starts { trial.expect(started.values.last == Pair(1, 1), "\(started.values)") }
                }
            }
        }

        /// One of three sets of what one combination follows from is held up by an observer, until the second has
        /// returned.
        private func scenarioOfThree() -> Scenario {
            Scenario("a set whose event is sent by others, beside an observer that waits for it") { trial in
                let inputs = (0..<3).map { _ in MutableProperty(0) }
                let all = Property.combineLatest(inputs[0].map { $0 }, inputs[1].map { $0 }, inputs[2].map { $0 })
                let recorder = Recorder<[Int], Never>(trial)
                let observation = Held(all.map { [$0, $1, $2] }.signal.observe(recorder))
                let (hasReturned, condition) = (Waitable(false), Condition())
                inputs[2].signal.observeNext { _ in
                    hasReturned.withLock(waitingOn: condition) { $0 ? () : nil }
                }
                trial.thread { inputs[0].value = 1 }
                trial.thread {
                    inputs[1].value = 1
                    hasReturned.withLock { hasReturned in
                        hasReturned = true
                        condition.signal()
                    }
                }
                trial.thread { inputs[2].value = 1 }
                trial.finally {
                    trial.expect(recorder.values.last == [1, 1, 1], "\(recorder.values)")
                    observation.value?.dispose()
                }
            }
        }

        @Test("a thread whose event has been sent does not wait for an observer of another source")
        func sent() { exhaust(quick: 4_000, scenarioOfThree(), preemptions: 2) }

        @Test("a thread that stops waiting when the gate is offered is not forgotten behind one that goes on waiting")
        func behindAnother() {
            let scenario = Scenario("an offer beside two that wait, one of which stops") { trial in
                let gate = Gate(contention: .wait)
                let (hasReturned, condition) = (Waitable(false), Condition())
                trial.thread {
                    let thread = ThreadIdentity.current
                    if gate.enter(thread) { gate.leave(thread) }
                }
                trial.thread { gate.waitForTurn(ThreadIdentity.current) }
                trial.thread {
                    gate.waitForTurn(ThreadIdentity.current, stopsIfOffered: true)
                    hasReturned.withLock { hasReturned in
                        hasReturned = true
                        condition.signal()
                    }
                }
                trial.thread {
                    let thread = ThreadIdentity.current
                    guard gate.enterIfIdle(thread) else { return }
                    if gate.offer() { WaitingRoom.shared.alert(gate) }
                    hasReturned.withLock(waitingOn: condition) { $0 ? () : nil }
                    if gate.isOwned(by: thread) { gate.leave(thread) }
                }
            }
            exhaust(quick: 4_000, scenario, preemptions: 2)
        }

        @Test("sends each event once, in order", arguments: Other.allCases, [false, true])
        func beside(other: Other, nested: Bool) { exhaust(scenario(other, nested: nested), preemptions: 2) }
    }
}
#endif
