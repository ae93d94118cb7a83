import HotSignals
import ReactiveSignals

/// Contracts 1, 2, 7, 8 and 11 for operators on producers, with all kinds of sources.
extension ContractCheck {
    /// The number of values to take, for an operator that restarts its source indefinitely.
    private static let many = 100

    static let starts = [
        ContractCheck(7, rule: "each start has its own state", for: .cold, ownState),
        ContractCheck(7, rule: "each start works on what its own source sends", for: .cold, ownValues),
        ContractCheck(
            7, rule: "starts that are in progress at the same time do not mix", for: .cold, ownStateMeanwhile),
        ContractCheck(7, rule: "applying an operator to a producer starts nothing", for: .cold, applyingStartsNothing),
        ContractCheck(1, 2, rule: "a source that sends in its start goes through", for: .cold, synchronous),
        ContractCheck(
            1, 2, rule: "so does one that sends on another thread", for: .cold, usesThreads: true, asynchronous),
        ContractCheck(
            8, rule: "an endless source that sends in its start stops when enough has been taken", for: .frugal, endless
        ),
        ContractCheck(8, rule: "so it does when it is disposed of from inside", for: .frugal, endlessDisposal),
        ContractCheck(
            1, 2, rule: "a source that breaks the rules, on four threads at once, does not break the contract",
            for: .cold, usesThreads: true,
            misbehaving),
        ContractCheck(1, rule: "events after the end, sent in the start itself, reach nobody", for: .cold, afterTheEnd),
        ContractCheck(11, rule: "a source that drops its observer at once ends, exactly once", for: .cold, dropped),
        ContractCheck(
            8, rule: "a source that sends nothing is disposed of, and interrupts", for: .cold, usesThreads: true, silent
        ),
        ContractCheck(
            8, rule: "disposal from the observer's own callback, and then nothing more", for: .cold, ownStart),
    ]

    private static func ownState(_ trial: ContractTrial) {
        // Which values are superseded differs from start to start.
        if trial.traits.sharesStarts || trial.traits.isAsynchronous || trial.traits.mayCoalesce { return }
        let producer = trial.applyCold(Cold(1...9)).take(first: many)
        let recorders = (0..<3).map { _ in trial.recorder() }
        for recorder in recorders {
            producer.start { recorder.record($0) }
            recorder.ended.wait()
        }
        trial.expect(recorders[1].events, is: recorders[0].events, "a second start, and the first")
        trial.expect(recorders[2].events, is: recorders[0].events, "a third start, and the first")
    }

    /// Whether the events of a start depend only on what its source sends.
    private static func isDeterministic(_ trial: ContractTrial) -> Bool {
        !trial.traits.sharesStarts && !trial.traits.isEager && !trial.traits.isAsynchronous && !trial.traits.mayCoalesce
    }

    /// The source sends different values in each start, sometimes beginning with the last value of the previous start.
    private static func ownValues(_ trial: ContractTrial) {
        guard isDeterministic(trial) else { return }
        let inputs = [Array(1...9), (1...9).reversed(), [1], [1, 1, 2, 2], [3], [1, 2, 3, 4, 5]]
        let current = Locked<[Int]>([])
        let source = Cold { observer, _ in
            for value in current.withLock({ $0 }) { observer.sendNext(value) }
            observer.sendCompleted()
        }
        let probe = ContractProbeCounter().probe()
        let producer = trial.applyCold(source, probe)
        for values in inputs {
            current.withLock { $0 = values }
            func start(
                _ producer: Cold, _ probe: ContractProbe
            ) -> (events: [Event<Int, ContractError>], calls: Int) {
                let before = probe.calls
                let recorder = trial.recorder()
                producer.take(first: many).start { recorder.record($0) }
                recorder.ended.wait()
                return (recorder.events, probe.calls - before)
            }
            let first = ContractProbeCounter().probe()
            let expected = start(trial.applyCold(source, first), first)
            let got = start(producer, probe)
            trial.expect(got.events, is: expected.events, "a start whose source sends \(values), after others")
            trial.expect(got.calls, is: expected.calls, "calls of closures in a start, after others, for \(values)")
        }
    }

    /// Two starts receive values alternately.
    private static func ownStateMeanwhile(_ trial: ContractTrial) {
        guard isDeterministic(trial) else { return }
        func events(ofStarts count: Int) -> [Event<Int, ContractError>] {
            let source = DrivenSource()
            let producer = trial.applyCold(source.producer)
            let starts = (0..<count).map { _ in
                let (recorder, before) = (trial.recorder(), source.inputs.count)
                let disposable = producer.start { recorder.record($0) }
                return (recorder: recorder, inputs: source.inputs.dropFirst(before), disposable: disposable)
            }
            for value in [1, 2, 2, 3] {
                for start in starts { for input in start.inputs { input.sendNext(value) } }
            }
            for start in starts { for input in start.inputs { input.sendCompleted() } }
            let events = starts[0].recorder.events
            for start in starts { start.disposable.dispose() }
            source.end()
            return events
        }
        trial.expect(
            events(ofStarts: 2), is: events(ofStarts: 1),
            "1, 2, 2 and 3 are sent to two starts by turns, the first of them")
    }

    private static func applyingStartsNothing(_ trial: ContractTrial) {
        let starts = ContractCount()
        let probe = ContractProbeCounter().probe()
        let source = Cold { observer, _ in
            starts.increment()
            // Without a value, an operator that repeats its source forever would not end.
            observer.sendNext(1)
            observer.sendCompleted()
        }
        let producer = trial.applyCold(source, probe)
        // An eager operator works when it is applied, as its traits state.
        if !trial.traits.isEager {
            trial.expect(starts.value, is: 0, "the operator is applied: starts of the source")
            trial.expect(probe.calls, is: 0, "the operator is applied: calls of closures")
        }
        let recorder = trial.recorder()
        producer.take(first: many).start { recorder.record($0) }
        recorder.ended.wait()
        trial.expect(starts.value > 0, "the result is started, but not the source")
    }

    private static func synchronous(_ trial: ContractTrial) {
        let recorder = trial.recorder()
        trial.applyCold(Cold(1...9)).take(first: many).start { recorder.record($0) }
        recorder.ended.wait()
        trial.expectOneEnd(recorder, "the source sends 1 to 9 in its start")
        // An eager operator may have ended before it is started.
        guard trial.traits.isTransparent, !trial.traits.failsAtFour, !trial.traits.isEager else { return }
        // Other values may precede these.
        let values = recorder.values.drop { $0 != 1 }
        trial.expect(
            values.starts(with: 1...9), "the source sends 1 to 9 in its start: these come out: \(recorder.values)")
    }

    private static func asynchronous(_ trial: ContractTrial) {
        let recorder = trial.recorder()
        let scheduler = QueueScheduler()
        trial.applyCold(Cold(1...9).start(on: scheduler)).take(first: many).start { recorder.record($0) }
        recorder.ended.wait()
        trial.expectOneEnd(recorder, "the source sends 1 to 9 on a queue")
    }

    private static func endless(_ trial: ContractTrial) {
        let (recorder, numbers) = (trial.recorder(), ContractNumbers())
        trial.applyCold(Cold(numbers)).take(first: 3).start { recorder.record($0) }
        trial.expect(recorder.events.count, is: 4, "the first three values of an endless source are taken: events")
        trial.expect(
            recorder.events.last, is: .completed,
            "the first three values of an endless source are taken: the last event")
        // One more if the source is its own trigger.
        trial.expect(
            numbers.asked.value <= 4,
            "the first three values of an endless source are taken: it is asked for \(numbers.asked.value)")
    }

    private static func endlessDisposal(_ trial: ContractTrial) {
        let (recorder, numbers) = (trial.recorder(), ContractNumbers())
        trial.applyCold(Cold(numbers)).startWithSignal { signal, interrupter in
            signal.observe { event in
                recorder.record(event)
                if recorder.values.count == 3 { interrupter.dispose() }
            }
        }
        let circumstances = "the start of an endless source is disposed of with the third value"
        trial.expect(recorder.values.count, is: 3, "\(circumstances): values")
        trial.expect(recorder.events.last, is: .interrupted, "\(circumstances): the last event")
        trial.expectOneEnd(recorder, circumstances)
        trial.expect(numbers.asked.value <= 4, "\(circumstances): it is asked for \(numbers.asked.value)")
    }

    private static func misbehaving(_ trial: ContractTrial) {
        trial.withThreads(4) { threads in
            for round in 0..<min(20, trial.rounds) where !trial.hasFailed {
                let (recorder, source) = (trial.recorder(), DrivenSource())
                let disposable = trial.applyCold(source.producer).start { recorder.record($0) }
                threads.race { thread in
                    for input in source.inputs {
                        for value in 0..<5 { input.sendNext(thread * 10 + value) }
                        switch (thread + round) % 4 {
                        case 0: input.sendCompleted()
                        case 1: input.sendError(ContractError())
                        case 2: input.sendInterrupted()
                        default: break
                        }
                        input.sendNext(99)
                    }
                }
                disposable.dispose()
                recorder.ended.wait()
                source.end()
                trial.expectOneEnd(recorder, "the source sends from four threads, and goes on after each end")
            }
        }
    }

    private static func afterTheEnd(_ trial: ContractTrial) {
        let recorder = trial.recorder()
        trial.applyCold(
            Cold { observer, _ in
                observer.sendNext(1)
                observer.sendError(ContractError())
                observer.sendNext(2)
                observer.sendCompleted()
                observer.sendInterrupted()
            }
        ).start { recorder.record($0) }
        recorder.ended.wait()
        let circumstances = "the source sends 1, an error and 2 in its start"
        trial.expect(!trial.traits.isTransparent || !recorder.values.contains(2), "\(circumstances): 2 comes out")
        trial.expectOneEnd(recorder, circumstances)
        if trial.traits.error == .error(ContractError()) {
            trial.expect(recorder.events.last, is: trial.traits.error, "\(circumstances): the last event")
        }
    }

    private static func dropped(_ trial: ContractTrial) {
        let recorder = trial.recorder()
        trial.applyCold(Cold { _, _ in }).start { recorder.record($0) }
        recorder.ended.wait()
        trial.expectOneEnd(recorder, "the source drops its observer")
        trial.expect(
            recorder.events.last, is: trial.traits.interruption, "the source drops its observer: the last event")
    }

    private static func silent(_ trial: ContractTrial) {
        let probes = ContractProbeCounter()
        let (recorder, source) = (trial.recorder(), DrivenSource())
        let start = { (probe: ContractProbe) in
            trial.applyCold(source.producer, probes.probe()).start { probe.see(recorder.record($0)) }
        }
        let disposable = start(probes.probe())
        trial.withThreads(4) { threads in threads.race { _ in disposable.dispose() } }
        recorder.ended.wait()
        let circumstances = "four threads dispose of the start of a source that sends nothing"
        trial.expect(recorder.events.last, is: .interrupted, "\(circumstances): the last event")
        trial.expectOneEnd(recorder, circumstances)
        trial.expect(source.starts.value > 0, "\(circumstances): it has not been started")
        trial.expect(source.disposals, comesTo: source.starts.value, "\(circumstances): disposals of the source")
        source.end()
        trial.expectEmpty(probes, afterRace: true, circumstances)
    }

    private static func ownStart(_ trial: ContractTrial) {
        let (recorder, source) = (trial.recorder(), DrivenSource())
        let own = SerialDisposable()
        own.inner = trial.applyCold(source.producer).start { event in
            recorder.record(event)
            own.dispose()
        }
        for input in source.inputs {
            for value in 1...3 { input.sendNext(value) }
        }
        for input in source.inputs { input.sendCompleted() }
        // If that disposal came too early to have an effect, the work started since is still running.
        own.dispose()
        recorder.ended.wait()
        trial.expectOneEnd(recorder, "an observer disposes of its start with the first event")
        trial.expect(
            recorder.events.count == 1 || recorder.values.count == 1 && recorder.events.last == .interrupted,
            "an observer disposes of its start with the first event: it gets \(recorder.events)")
        source.end()
    }
}

/// A source that counts its starts. The check sends on its behalf, through all of its inputs.
private final class DrivenSource: Sendable {
    let (starts, disposals) = (ContractCount(), ContractCount())
    private let kept = Locked<[OperatorContract.Numbers.Observer]>([])

    var inputs: [OperatorContract.Numbers.Observer] { kept.withLock { $0 } }

    var producer: OperatorContract.NumbersProducer {
        OperatorContract.NumbersProducer { [self] observer, lifetime in
            starts.increment()
            kept.withLock { $0.append(observer) }
            lifetime.observeEnded { self.disposals.increment() }
        }
    }

    /// Ends all starts. Call it last: it breaks the cycle of inputs that retain this source.
    func end() {
        let inputs = kept.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
        for input in inputs { input.sendInterrupted() }
    }
}
