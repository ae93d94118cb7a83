import HotSignals
import ReactiveSignals

/// Contracts 3 and 5: what is sent during a delivery.
extension ContractCheck {
    static let nesting = [
        ContractCheck(
            3, rule: "values sent from inside a delivery follow it, in one order for all observers", for: .transparent,
            reentrantValues),
        ContractCheck(
            3, rule: "all that was sent from inside has been delivered when the outer send returns", for: .synchronous,
            reentrantReturns),
        ContractCheck(
            3, rule: "a terminal event sent from inside a delivery reaches all after it, and drops what is sent later",
            for: .all, reentrantTerminal),
        ContractCheck(
            5, rule: "the operator's closures may use the signal that calls them", for: .transparent, callingOut),
    ]

    private static func reentrantValues(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let result = trial.apply(source)
        let first = trial.record(result)
        // Limited, because a value that comes out need not be the one that was sent.
        let budget = ContractCount()
        result.observe { event in
            guard let value = event.value, value <= 50, budget.increment() <= 100 else { return }
            // Two each time, so that the queue holds more than one.
            if value < 50 { input.sendNext(value + 1) } else { input.sendCompleted() }
            input.sendNext(1_000 + value)
        }
        let last = trial.record(result)
        input.sendNext(0)
        // If a value has been lost, none of them completes the source.
        if !trial.traits.isAsynchronous { input.sendCompleted() }
        first.ended.wait()
        last.ended.wait()
        if trial.traits.isAsynchronous {
            trial.expect(
                first.values.filter { $0 <= 50 }, is: Array(0...50), "each value sends the next one, those up to 50")
        } else {
            let expected = (0..<50).flatMap { [$0, 999 + $0] }.filter { $0 != 999 } + [50, 1_049]
            trial.expect(
                first.events, is: expected.map { .next($0) } + [trial.traits.completion],
                "each value up to 50 sends the next one, and itself plus 1,000")
        }
        trial.expect(last.events, is: first.events, "what the last of three observers sees, and the first one does")
        trial.expect(first.violations + last.violations, is: [], "values are sent from inside a delivery")
    }

    private static func reentrantReturns(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let hasEnded = ContractCount()
        source.observe { event in
            guard let value = event.value else { return }
            if value < 10 { input.sendNext(value + 1) } else { input.sendCompleted() }
        }
        trial.apply(source).observe { event in
            if event.isTerminating { hasEnded.increment() }
        }
        input.sendNext(0)
        trial.expect(
            hasEnded.value, is: 1,
            "0 sends 1 and so on, and 10 completes: ends that have been seen when the first send returns"
        )
    }

    private static func reentrantTerminal(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        source.observe { event in
            guard event.value == 4 else { return }
            input.sendCompleted()
            input.sendNext(99)
            input.sendError(ContractError())
        }
        let result = trial.apply(source)
        let recorders = [trial.record(result), trial.record(result)]
        for value in 1...6 { input.sendNext(value) }
        for recorder in recorders {
            recorder.ended.wait()
            let circumstances = "completion, 99 and an error are sent from inside the delivery of 4"
            trial.expectOneEnd(recorder, circumstances)
            trial.expect(recorder.events.last, is: trial.traits.endAfterFour, "\(circumstances), the last event")
            trial.expect(!recorder.values.contains(99), "\(circumstances): 99 comes out")
            if trial.traits.isTransparent {
                trial.expect(recorder.values, is: [1, 2, 3, 4], "\(circumstances), the values")
            }
        }
        trial.expect(recorders[0].events, is: recorders[1].events, "two observers of one result")
    }

    private static func callingOut(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let budget = ContractCount()
        let probe = ContractProbeCounter().probe(onCall: {
            budget.increment()
            guard budget.value <= 20 else { return }
            source.map { $0 }.observe { _ in }?.dispose()
            input.sendNext(budget.value)
        })
        let sent = Locked<[Int]>([])
        source.observe { event in
            if let value = event.value { sent.withLock { $0.append(value) } }
        }
        let recorder = trial.record(trial.apply(source, probe))
        input.sendNext(0)
        input.sendCompleted()
        recorder.ended.wait()
        trial.expect(recorder.violations, is: [], "a closure sends values and observes")
        if trial.traits.isAsynchronous {
            // How many values are sent before the completion depends on thread timing.
            return trial.expect(recorder.values, is: sent.withLock { $0 }, "a closure sends values: what comes out")
        }
        // Some operators call their closure only once. An operator without closures calls nothing.
        let isComplete =
            probe.calls == 0 ? recorder.values == [0] : recorder.values.count > (probe.calls == 1 ? 0 : 10)
        trial.expect(isComplete, "a closure sends 20 values, but only these come out: \(recorder.values)")
    }
}
