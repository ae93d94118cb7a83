import HotSignals
import ReactiveSignals

/// Contracts 7 and 12: when an operator works, and the name of its result.
extension ContractCheck {
    static let work = [
        ContractCheck(
            7, rule: "applying and observing run nothing, and the work of the source goes on once", for: .all,
            noSideEffects),
        ContractCheck(
            7, rule: "an operator works once an event, however many observe its result", for: .all, sharedWork),
        ContractCheck(12, rule: "the name says what the operator was applied to", for: .all, names),
    ]

    private static func noSideEffects(_ trial: ContractTrial) {
        let generated = ContractCount()
        let kept = Locked<Numbers.Observer?>(nil)
        let source = Numbers { observer, _ in
            generated.increment()
            kept.withLock { $0 = observer }
        }
        let probe = ContractProbeCounter().probe()
        let result = trial.apply(source.on(event: { _ in probe.see(()) }), probe)
        for _ in 0..<3 { result.observe { _ in }?.dispose() }
        trial.expect(probe.calls, is: 0, "the result is observed three times, calls of closures")
        trial.expect(generated.value, is: 1, "the result is observed three times, runs of the source's work")
        let recorder = trial.record(result)
        kept.withLock { $0 }?.sendNext(1)
        kept.withLock { $0 }?.sendCompleted()
        recorder.ended.wait()
        trial.expect(
            recorder.events.last, is: trial.traits.completion, "the result is observed and released before 1 is sent")
        trial.expect(generated.value, is: 1, "values have been sent, runs of the source's work")
    }

    private static func sharedWork(_ trial: ContractTrial) {
        let calls = [1, 5].map { observers in
            let (source, input) = Numbers.pipe()
            let probe = ContractProbeCounter().probe()
            let result = trial.apply(source, probe)
            let recorders = (0..<observers).map { _ in trial.record(result) }
            for value in 0..<3 { input.sendNext(value) }
            input.sendCompleted()
            for recorder in recorders { recorder.ended.wait() }
            return probe.calls
        }
        // How many values are superseded depends on thread timing.
        if !trial.traits.mayCoalesce {
            trial.expect(calls[1], is: calls[0], "calls of closures for three values with five observers and with one")
        }
        trial.expect(
            calls.max()! <= 3 || !trial.traits.terminalsSeen.isEmpty,
            "closures are called more than once per value: \(calls.max()!) times for three")
    }

    private static func names(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let result = trial.apply(source.named("origin"))
        let traits = trial.traits
        if traits.isIdentity {
            trial.expect(
                ["origin", "[origin] -producer"].contains(result.name),
                "what is applied to \"origin\" is \"\(result.name)\"")
        } else {
            trial.expect(
                traits.isAnonymous || result.name.contains("origin"),
                "what is applied to \"origin\" does not say so: \"\(result.name)\"")
            if let printed = traits.printedName {
                trial.expect(result.name.contains(printed), "\"\(printed)\" is missing in the name \"\(result.name)\"")
            }
        }
        trial.expect(result.description, is: result.name, "the description")
        trial.expect(
            result.named("renamed").map { $0 }.name.contains("renamed"), "a name that the result is given does not show"
        )
        withExtendedLifetime(input) {}
    }
}
