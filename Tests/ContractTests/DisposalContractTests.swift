import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 8 of the design: cancellation by operators that end early. For disposal, see `OperatorContractTests`.
@Suite("Disposal contract", .watched)
struct DisposalContractTests {
    @Test("8: take-like operators cancel upstream as soon as the last value is delivered")
    func earlyEnd() {
        let takes: [@Sendable (Numbers) -> Numbers] = [
            { $0.take(first: 2) }, { $0.map { $0 }.take(first: 2).filter { _ in true } },
            { $0.take(while: { $0 < 2 }) }, { $0.take(first: 2).take(first: 5).map { $0 } },
            { Signal.zip($0, $0.take(first: 2)).map { $0.0 } },
        ]
        for take in takes {
            let ended = Count()
            let kept = Locked<Numbers.Observer?>(nil)
            let recorder: Recorder
            do {
                let source = Numbers { observer, lifetime in
                    kept.withLock { $0 = observer }
                    lifetime.observeEnded { ended.increment() }
                }
                recorder = take(source).recorded()
            }
            let input = kept.withLock { $0 }
            input?.sendNext(1)
            expect(ended.value, is: 0)
            input?.sendNext(2)
            expect(ended.value, is: 1, "in the same call")
            expect(recorder.events.last, is: .completed)
            expect(recorder.terminals, is: 1)
        }
    }

    @Test("8: when one input ends the result of several, the others are released", arguments: Joint.table)
    func cancellationOfOtherInputs(_ joint: Joint) {
        for failing in 0..<joint.inputCount {
            let ended = Count()
            let kept = Locked<[Numbers.Observer]>([])
            let recorder: Recorder
            do {
                let sources = (0..<joint.inputCount).map { _ in
                    Numbers { observer, lifetime in
                        kept.withLock { $0.append(observer) }
                        lifetime.observeEnded { ended.increment() }
                    }
                }
                recorder = joint.join(sources).recorded()
            }
            let inputs = kept.withLock { $0 }
            for input in inputs { input.sendNext(1) }
            expect(ended.value, is: 0)
            withExtendedLifetime(inputs) { joint.fail(inputs, at: failing) }
            expect(ended.value, is: joint.inputCount)
            expect(recorder.events.last, is: .error(TestError()))
        }
    }
}
