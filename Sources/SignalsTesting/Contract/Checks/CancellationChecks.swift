import HotSignals
import ReactiveSignals

/// Contract 8: what termination and disposal release.
extension ContractCheck {
    static let cancellation = [
        ContractCheck(
            8, rule: "what a disposed observer captured is released at once, and its peers go on", for: .all, release),
        ContractCheck(
            8, rule: "what an observer captured is released when its signal ends", for: .all, releaseAtTheEnd),
        ContractCheck(
            8, rule: "with the last observer and the last handle gone, the source is released", for: .all,
            upstreamCancellation),
        ContractCheck(
            8, rule: "an operator that ends by itself cancels upstream the moment that the last value is through",
            for: .limited, earlyEnd),
    ]

    private static func release(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let probes = ContractProbeCounter()
        let result = trial.apply(source)
        let peer = trial.record(result)
        let observe = { (probe: ContractProbe) in result.observe { _ in probe.see(()) } }
        for _ in 0..<3 {
            let disposable = observe(probes.probe())
            trial.expect(probes.alive, is: 1, "a result is observed, probes that are alive")
            disposable?.dispose()
            trial.expectEmpty(probes, "an observer is disposed of")
            disposable?.dispose()
        }
        input.sendNext(1)
        input.sendCompleted()
        peer.ended.wait()
        trial.expect(
            peer.events.last, is: trial.traits.completion, "the last event of an observer whose peers are disposed of")
    }

    private static func releaseAtTheEnd(_ trial: ContractTrial) {
        for terminal in OperatorTraits.Terminal.allCases {
            let (source, input) = Numbers.pipe()
            let probes = ContractProbeCounter()
            let result = trial.apply(source, probes.probe())
            let observe = { (probe: ContractProbe) in result.observe { _ in probe.see(()) } }
            let disposable = observe(probes.probe())
            let end = trial.record(result).ended
            input.send(terminal.event)
            end.wait()
            trial.expectEmpty(probes, "\(terminal.event) is sent, and source and result are held")
            withExtendedLifetime((source, input, result, disposable)) {}
        }
    }

    private static func upstreamCancellation(_ trial: ContractTrial) {
        for disposesFirst in [false, true] {
            let ended = ContractCount()
            let kept = Locked<Numbers.Observer?>(nil)
            let probes = ContractProbeCounter()
            var disposable: (any Disposable)?
            do {
                let source = Numbers { observer, lifetime in
                    kept.withLock { $0 = observer }
                    lifetime.observeEnded { ended.increment() }
                }
                let result = trial.apply(source, probes.probe())
                disposable = result.observe { _ in }
                if disposesFirst {
                    disposable?.dispose()
                    trial.expect(
                        ended.value, is: 0, "the result is held, but not observed: times that the source is released")
                }
            }
            if !disposesFirst {
                trial.expect(
                    ended.value, is: 0, "the result is observed, but not held: times that the source is released")
                disposable?.dispose()
            }
            trial.expect(
                ended, comesTo: 1, "the result is neither held nor observed: times that the source is released")
            trial.expectEmpty(probes, "the result is neither held nor observed")
            kept.withLock { $0 }?.sendNext(1)
            kept.withLock { $0 }?.sendCompleted()
            trial.expect(ended.value, is: 1, "the source ends after that: times that it is released")
            // The observer and its signal retain each other. Taking the observer out breaks the cycle.
            let last = kept.withLock { $0.take() }
            withExtendedLifetime(last) {}
        }
    }

    private static func earlyEnd(_ trial: ContractTrial) {
        guard let limit = trial.traits.limit, limit > 0 else { return }
        let ended = ContractCount()
        let kept = Locked<Numbers.Observer?>(nil)
        let recorder: ContractRecorder
        do {
            let source = Numbers { observer, lifetime in
                kept.withLock { $0 = observer }
                lifetime.observeEnded { ended.increment() }
            }
            recorder = trial.record(trial.apply(source))
        }
        let input = kept.withLock { $0 }
        for value in 1..<max(limit, 1) { input?.sendNext(value) }
        trial.expect(ended.value, is: 0, "before the last of \(limit) values: times that the source is released")
        input?.sendNext(limit)
        trial.expect(
            ended.value, is: 1, "in the call that sends the last of \(limit) values: times that the source is released"
        )
        trial.expect(recorder.events.last, is: .completed, "the last event after \(limit) values")
        trial.expectOneEnd(recorder, "\(limit) values are sent")
    }
}
