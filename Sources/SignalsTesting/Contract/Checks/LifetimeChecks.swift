import HotSignals
import ReactiveSignals

/// Contract 11: the lifetime of signals, and leaks.
extension ContractCheck {
    static let lifetimes = [
        ContractCheck(11, rule: "a signal lives while it is held, observed or not", for: .all, held),
        ContractCheck(11, rule: "a signal lives while it is observed, held or not", for: .all, observed),
        ContractCheck(11, rule: "a signal that is neither held nor observed ends silently", for: .all, forgotten),
        ContractCheck(
            11, rule: "a result that was never observed does not keep anything alive", for: .all, neverObserved),
        ContractCheck(
            11, rule: "when the input is released its observers are interrupted, exactly once", for: .all, releasedInput
        ),
        ContractCheck(
            11, rule: "so they are if it is released in the middle of a delivery, by an observer", for: .all,
            inputReleasedInside),
        ContractCheck(
            11, rule: "releasing handles, inputs and observers races with sending", for: .all, isRace: true,
            releaseRaces),
        ContractCheck(11, rule: "nothing leaks, however it ends", for: .all, leaks),
    ]

    private static func held(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let result = trial.apply(source)
        for _ in 0..<2 { result.observe { _ in }?.dispose() }
        expectEvents(trial, trial.record(result), from: input, "the result is held, and observers have come and gone")
    }

    private static func observed(_ trial: ContractTrial) {
        let (input, recorder) = {
            let (source, input) = Numbers.pipe()
            return (input, trial.record(trial.apply(source.map { $0 })))
        }()
        expectEvents(trial, recorder, from: input, "the result is observed, but not held")
    }

    private static func expectEvents(
        _ trial: ContractTrial, _ recorder: ContractRecorder, from input: Numbers.Observer, _ circumstances: String
    ) {
        for value in 1...9 { input.sendNext(value) }
        input.sendCompleted()
        recorder.ended.wait()
        trial.expect(trial.traits.maySendNothing || !recorder.values.isEmpty, "\(circumstances): no value comes out")
        trial.expect(recorder.events.last, is: trial.traits.endAfterFour, "\(circumstances): the last event")
    }

    private static func forgotten(_ trial: ContractTrial) {
        if trial.traits.outlivesDisposal { return }
        let probes = ContractProbeCounter()
        let (events, disposals) = (ContractCount(), ContractCount())
        let (source, input) = Numbers.pipe()
        do {
            let probe = probes.probe()
            let result = trial.apply(source.on(disposed: { disposals.increment() }), probe)
                .on(event: { _ in events.increment() }, disposed: { disposals.increment() })
            let disposable = result.observe { _ in events.increment() }
            trial.expect(disposals.value, is: 0, "a result is observed: disposals of it and its source")
            disposable?.dispose()
        }
        trial.expect(disposals, comesTo: 2, "a result is neither held nor observed: disposals of it and its source")
        trial.expect(events.value, is: 0, "a result is neither held nor observed: events of it")
        trial.expectEmpty(probes, "a result is neither held nor observed")
        // The source is retained and not affected.
        let recorder = trial.record(source)
        input.sendNext(1)
        input.sendCompleted()
        trial.expect(recorder.events, is: [.next(1), .completed], "a source whose result has been released")
        trial.expect(events.value, is: 0, "the source of a result that has been released sends: events of the result")
    }

    private static func neverObserved(_ trial: ContractTrial) {
        let probes = ContractProbeCounter()
        let (source, input) = Numbers.pipe()
        for _ in 0..<3 { _ = trial.apply(source, probes.probe()) }
        trial.expectEmpty(probes, "results are made and released")
        withExtendedLifetime(input) {}
    }

    private static func releasedInput(_ trial: ContractTrial) {
        let (result, recorder) = {
            let (source, input) = Numbers.pipe()
            let result = trial.apply(source)
            let recorder = trial.record(result)
            input.sendNext(1)
            return (result, recorder)
        }()
        recorder.ended.wait()
        trial.expectOneEnd(recorder, "the input is released")
        trial.expect(recorder.events.last, is: trial.traits.interruption, "the input is released: the last event")
        let late = trial.record(result)
        if trial.traits.isAsynchronous { late.ended.wait() }
        trial.expect(late.events, is: [.interrupted], "the input has been released: what a late observer gets")
    }

    private static func inputReleasedInside(_ trial: ContractTrial) {
        let box = Locked<Numbers.Observer?>(nil)
        let recorder = {
            let (source, input) = Numbers.pipe()
            box.withLock { $0 = input }
            source.observe { _ in
                let dropped = box.withLock { $0.take() }
                withExtendedLifetime(dropped) {}
            }
            return trial.record(trial.apply(source))
        }()
        let send = { box.withLock { $0 }?.sendNext(1) }
        send()
        recorder.ended.wait()
        let circumstances = "the input is released in the delivery of 1"
        trial.expect(recorder.events.last, is: trial.traits.interruption, "\(circumstances): the last event")
        trial.expectOneEnd(recorder, circumstances)
        if trial.traits.isTransparent {
            trial.expect(recorder.values, beforeExceptionIs: [1], "\(circumstances): values")
        }
    }

    private static func releaseRaces(_ trial: ContractTrial) {
        let probes = ContractProbeCounter()
        trial.withThreads(4) { threads in
            for round in 0..<trial.rounds where !trial.hasFailed {
                let handle: Locked<Numbers?>
                let input: Locked<Numbers.Observer?>
                let disposable: Locked<(any Disposable)?>
                let recorder = trial.recorder()
                do {
                    let pipe = Numbers.pipe()
                    let result = trial.apply(pipe.output, probes.probe())
                    let observe = { (probe: ContractProbe) in
                        result.observe { probe.see(recorder.record($0)) }
                    }
                    disposable = Locked(observe(probes.probe()))
                    handle = Locked(result)
                    input = Locked(pipe.input)
                }
                threads.race { thread in
                    switch thread {
                    case 0: withExtendedLifetime(handle.withLock { $0.take() }) {}
                    case 1: withExtendedLifetime(input.withLock { $0.take() }) {}
                    case 2 where round % 2 == 0: disposable.withLock { $0.take() }?.dispose()
                    default: input.withLock { $0 }?.sendNext(1)
                    }
                }
                let circumstances = "handle, input and observer are released at the same time"
                trial.expect(recorder.violations, is: [], circumstances)
                if round % 2 == 1 {
                    // Nothing is disposed of, so releasing the input terminates the result. If it coincides with
                    // releasing the handle, the termination is delivered on a separate thread.
                    recorder.ended.wait()
                    trial.expect(
                        recorder.terminals, is: 1, "handle and input are released at the same time: terminal events")
                }
            }
        }
        trial.expectEmpty(probes, afterRace: true, "handles, inputs and observers are released while others send")
    }

    private static func leaks(_ trial: ContractTrial) {
        let ends = [
            "completion", "an error", "an interruption", "disposal", "disposal, then completion",
            "completion from inside, with values queued before it", "completion, with a closure that holds the result",
        ]
        for (end, name) in ends.enumerated() {
            let probes = ContractProbeCounter()
            do {
                let (source, input) = Numbers.pipe()
                let (before, after) = (probes.probe(), probes.probe())
                let result = trial.apply(source.on(next: { _ in before.see(()) }), probes.probe())
                    .on(next: { _ in after.see(()) })
                let recorder = trial.recorder()
                let probe = probes.probe()
                // Cycles that users create: the closure retains its own signal and its input.
                let disposable = result.observe { event in
                    probe.see(recorder.record(event))
                    withExtendedLifetime((result, end == 6 ? nil : input)) {}
                }
                for value in 0..<5 { input.sendNext(value) }
                switch end {
                case 0: input.sendCompleted()
                case 1: input.sendError(ContractError())
                case 2: input.sendInterrupted()
                case 3: disposable?.dispose()
                case 4:
                    disposable?.dispose()
                    input.sendCompleted()
                case 5:
                    // Re-entrantly, with values queued before it.
                    source.observe { event in
                        guard event.value == 5 else { return }
                        for value in 6..<9 { input.sendNext(value) }
                        input.sendCompleted()
                    }
                    input.sendNext(5)
                default: input.sendCompleted()
                }
                if ![3, 4].contains(end) { recorder.ended.wait() }
            }
            // A queue releases its last action a moment later.
            trial.expectEmpty(probes, "five values, then \(name)")
        }
    }
}
