#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("The gate")
    struct GateExplorations {
        static let contentions: [Contention] = [.wait, .enqueue]

        /// Three threads send three values each into one signal.
        static func senders(_ contention: Contention, count: Int = 3) -> Scenario {
            Scenario("\(contention): three senders of \(count) values") { trial in
                let (signal, input) = Signal<Int, Never>.pipe(contention: contention)
                let recorder = Recorder<Int, Never>(trial)
                signal.observe(recorder)
                let sent = (1...3).map { thread in (0..<count).map { 10 * thread + $0 } }
                for values in sent {
                    trial.thread { for value in values { input.sendNext(value) } }
                }
                trial.finally {
                    recorder.expectAll(sent)
                    input.sendCompleted()
                    recorder.expectOneEnd()
                }
            }
        }

        @Test("delivers each event once and in order", arguments: contentions)
        func senders(contention: Contention) { exhaust(quick: 20_000, Self.senders(contention)) }

        @Test("publishes its owner's writes, also with weak memory", arguments: contentions)
        func weakMemory(contention: Contention) {
            exhaust(quick: 20_000, Self.senders(contention, count: 1), staleReads: 2)
        }

        @Test("ends once when several threads end it", arguments: contentions)
        func ends(contention: Contention) {
            exhaust(
                quick: 20_000,
                Scenario("\(contention): senders and two ends") { trial in
                    let (signal, input) = Signal<Int, TestFailure>.pipe(contention: contention)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    signal.observe(recorder)
                    trial.thread { [1, 2, 3].forEach(input.sendNext) }
                    trial.thread {
                        input.sendNext(11)
                        input.sendCompleted()
                    }
                    trial.thread { input.sendError(TestFailure()) }
                    trial.finally {
                        recorder.expectOrder([[1, 2, 3], [11]])
                        recorder.expectOneEnd()
                    }
                })
        }

        @Test("two signals that feed each other on two threads do not deadlock", arguments: contentions)
        func crossing(contention: Contention) {
            exhaust(
                quick: 20_000,
                Scenario("\(contention): two signals that feed each other, and a third sender") { trial in
                    let (first, firstInput) = Signal<Int, Never>.pipe(contention: contention)
                    let (second, secondInput) = Signal<Int, Never>.pipe()
                    let recorders = [
                        Recorder<Int, Never>(trial, "the first"), Recorder<Int, Never>(trial, "the second"),
                    ]
                    first.observe(recorders[0])
                    second.observe(recorders[1])
                    first.observeNext { if $0 < 10 { secondInput.sendNext($0 + 10) } }
                    second.observeNext { if $0 < 10 { firstInput.sendNext($0 + 10) } }
                    trial.thread { firstInput.sendNext(1) }
                    trial.thread { secondInput.sendNext(2) }
                    trial.thread { firstInput.sendNext(3) }
                    trial.finally {
                        recorders[0].expectAll([[1], [3], [12]])
                        recorders[1].expectAll([[2], [11], [13]])
                        firstInput.sendCompleted()
                        secondInput.sendCompleted()
                    }
                })
        }

        @Test("cycles of three signals do not deadlock")
        func ring() {
            exhaust(
                quick: 20_000,
                Scenario("three signals in a ring") { trial in
                    let pipes = (0..<3).map { _ in Signal<Int, Never>.pipe() }
                    let recorders = (0..<3).map { Recorder<Int, Never>(trial, "signal \($0)") }
                    for index in 0..<3 {
                        pipes[index].output.observe(recorders[index])
                        let next = pipes[(index + 1) % 3].input
                        pipes[index].output.observeNext { if $0 < 20 { next.sendNext($0 + 10) } }
                        trial.thread { pipes[index].input.sendNext(index) }
                    }
                    trial.finally {
                        // Each value circulates until it has been received three times.
                        recorders[0].expectAll([[0], [21], [12]])
                        recorders[1].expectAll([[1], [22], [10]])
                        recorders[2].expectAll([[2], [20], [11]])
                        for pipe in pipes { pipe.input.sendCompleted() }
                    }
                }, preemptions: 1)
        }

        @Test("a re-entrant send is delivered after the current event, with another sender", arguments: contentions)
        func nested(contention: Contention) {
            exhaust(
                quick: 20_000,
                Scenario("\(contention): nested sends") { trial in
                    let (signal, input) = Signal<Int, Never>.pipe(contention: contention)
                    let recorder = Recorder<Int, Never>(trial)
                    signal.observeNext { value in if value < 100 { input.sendNext(value + 100) } }
                    signal.observe(recorder)
                    trial.thread { [1, 2].forEach(input.sendNext) }
                    trial.thread { [11, 12].forEach(input.sendNext) }
                    trial.finally {
                        recorder.expectAll([[1, 2], [11, 12], [101], [102], [111], [112]])
                        for value in [1, 2, 11, 12] { recorder.expectOrder([[value, value + 100]]) }
                        input.sendCompleted()
                    }
                })
        }

        @Test("a re-entrant send is delivered before the send around it returns, although others send meanwhile")
        func nestedBeforeReturn() {
            exhaust(
                quick: 20_000,
                Scenario("a nested send beside a sender of more than a thread delivers for others") { trial in
                    let (signal, input) = Signal<Int, Never>.pipe(contention: .enqueue)
                    // Guarded by the signal's gate, and read by the thread that has delivered 1.
                    let threads = SinkState<[Int: UInt]>([:])
                    signal.observeNext { value in
                        threads.value[value] = ThreadIdentity.current
                        if value == 1 { input.sendNext(100) }
                    }
                    trial.thread {
                        input.sendNext(1)
                        guard threads.value[1] == ThreadIdentity.current else { return }
                        trial.expect(threads.value[100] == ThreadIdentity.current, "the send came back too early")
                    }
                    trial.thread { (11...14).forEach(input.sendNext) }
                    trial.finally {
                        trial.expect(threads.value.keys.sorted() == [1, 11, 12, 13, 14, 100], "lost a value")
                        input.sendCompleted()
                    }
                })
        }

        @Test("starts no delivery after a disposal has returned", arguments: contentions)
        func disposal(contention: Contention) {
            exhaust(
                quick: 20_000,
                Scenario("\(contention): disposal beside two senders, with nested sends") { trial in
                    let (signal, input) = Signal<Int, Never>.pipe(contention: contention)
                    signal.observeNext { value in if value == 1 { input.sendNext(100) } }
                    let recorder = Recorder<Int, Never>(trial)
                    let observation = signal.observe(recorder)
                    trial.thread { [1, 2].forEach(input.sendNext) }
                    trial.thread { input.sendNext(11) }
                    trial.thread {
                        observation?.dispose()
                        recorder.isDisposed()
                    }
                    trial.finally {
                        recorder.expectOrder([[1, 2], [1, 100], [11]])
                        input.sendCompleted()
                    }
                })
        }

        @Test("an observation that a sender has added is disposed of before the sender leaves", arguments: contentions)
        func handedOver(contention: Contention) {
            exhaust(
                Scenario("\(contention): an observation beside a sender, and its disposal") { trial in
                    let (signal, input) = Signal<Int, Never>.pipe(contention: contention)
                    let recorders = (0..<2).map { Recorder<Int, Never>(trial, "observer \($0)") }
                    signal.observe(recorders[0])
                    let observation = Held<any Disposable>(nil)
                    trial.thread { [1, 2].forEach(input.sendNext) }
                    trial.thread { observation.value = signal.observe(recorders[1]) }
                    trial.thread {
                        guard let added = observation.value else { return }
                        added.dispose()
                        recorders[1].isDisposed()
                    }
                    trial.finally {
                        recorders[0].expectAll([[1], [2]])
                        input.sendCompleted()
                        observation.value = nil
                    }
                })
        }

        /// One observation, one disposal and one send.
        static func visits(_ contention: Contention) -> Scenario {
            Scenario("\(contention): an observation, a disposal and a sender") { trial in
                let (signal, input) = Signal<Int, Never>.pipe(contention: contention)
                let recorders = (0..<3).map { Recorder<Int, Never>(trial, "observer \($0)") }
                let observation = signal.observe(recorders[0])
                signal.observe(recorders[1])
                trial.thread { input.sendNext(1) }
                trial.thread {
                    observation?.dispose()
                    recorders[0].isDisposed()
                }
                trial.thread { signal.observe(recorders[2])?.dispose() }
                trial.finally {
                    recorders[1].expectAll([[1]])
                    input.sendCompleted()
                }
            }
        }

        @Test("visits without a delivery publish their writes, also with weak memory", arguments: contentions)
        func visits(contention: Contention) {
            exhaust(quick: 20_000, Self.visits(contention), preemptions: 1, staleReads: 2)
        }

        @Test("new observers receive all following events, and the end", arguments: contentions)
        func observing(contention: Contention) {
            exhaust(
                quick: 20_000,
                Scenario("\(contention): observers come beside a sender and an end") { trial in
                    let (signal, input) = Signal<Int, Never>.pipe(contention: contention)
                    let recorders = (0..<2).map { Recorder<Int, Never>(trial, "observer \($0)") }
                    trial.thread {
                        [1, 2].forEach(input.sendNext)
                        input.sendCompleted()
                    }
                    for recorder in recorders { trial.thread { signal.observe(recorder) } }
                    trial.finally {
                        for recorder in recorders {
                            recorder.expectOneEnd()
                            trial.expect(
                                [[], [2], [1, 2]].contains(recorder.values), "an observer has got \(recorder.values)")
                        }
                    }
                })
        }

        @Test("holds nothing after the release of the handle, the input and an observer", arguments: contentions)
        func release(contention: Contention) {
            exhaust(
                quick: 20_000,
                Scenario("\(contention): handle, input and observation go") { trial in
                    let held = Held(Signal<Int, Never>.pipe(contention: contention))
                    let recorder = Recorder<Int, Never>(trial)
                    let mapped = Held(
                        held.value!.output.map { [token = trial.token()] value in
                            token.touch()
                            return value
                        })
                    mapped.value!.observe(recorder)
                    trial.thread { mapped.value = nil }
                    trial.thread {
                        held.value?.input.sendNext(1)
                        held.value = nil
                    }
                    trial.finally { recorder.expectOneEnd() }
                })
        }
    }
}

struct TestFailure: Error, Equatable {}

/// A reference that a thread releases.
final class Held<Value>: @unchecked Sendable {
    private var held: Value?
    private let state = Trial.State()

    init(_ value: Value?) { held = value }

    var value: Value? {
        get {
            state.touch()
            return held
        }
        set {
            state.touch()
            // Another thread may read it while its former value is being released, which is a point of switching.
            let former = held
            held = newValue
            withExtendedLifetime(former) {}
        }
    }
}
#endif
