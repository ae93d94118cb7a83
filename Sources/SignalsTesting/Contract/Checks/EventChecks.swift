import HotSignals
import ReactiveSignals

/// Contracts 1, 2, 3 and 6: the grammar, and the effect of terminal events.
extension ContractCheck {
    static let events = [
        ContractCheck(
            1, 2, rule: "events are serial, and one terminal event comes with nothing after it, with 8 racing senders",
            for: .all, usesThreads: true
        ) { raceSenders($0, rounds: min(25, $0.rounds), events: 20) },
        ContractCheck(
            1, 2, rule: "events are serial, and one terminal event comes with nothing after it, in many short races",
            for: .all, isRace: true
        ) { raceSenders($0, rounds: $0.rounds, events: 2) },
        ContractCheck(
            1, rule: "observing while the signal ends gives exactly one terminal event", for: .all, isRace: true,
            lateObservers),
        ContractCheck(
            1, rule: "after its end a signal answers an observer with interrupted, and nil", for: .all, observingTheEnd),
        ContractCheck(6, rule: "every end comes out as it should, once", for: .all, ends),
        ContractCheck(6, rule: "errors and interruptions pass at once, and only once", for: .all, exceptions),
        ContractCheck(
            6, rule: "the closures of an operator are not called for terminal events", for: .all, closuresSeeValuesOnly),
    ]

    private static func raceSenders(_ trial: ContractTrial, rounds: Int, events: Int) {
        trial.withThreads(8) { threads in
            for round in 0..<rounds where !trial.hasFailed {
                let (source, input) = Numbers.pipe()
                let result = trial.apply(source)
                let recorders = [trial.record(result), trial.record(result)]
                threads.race { thread in
                    for value in 0..<events { input.sendNext(thread * 100 + value) }
                    switch (thread + round) % 4 {
                    case 0: input.sendCompleted()
                    case 1: input.sendError(ContractError())
                    case 2: input.sendInterrupted()
                    default: input.sendNext(-1)
                    }
                }
                for recorder in recorders {
                    recorder.ended.wait()
                    trial.expectOneEnd(recorder, "8 threads send values and ends")
                }
                trial.expect(
                    recorders[0].events, is: recorders[1].events, "two observers of what 8 threads send")
            }
        }
    }

    private static func lateObservers(_ trial: ContractTrial) {
        trial.withThreads(4) { threads in
            for _ in 0..<trial.rounds where !trial.hasFailed {
                let (source, input) = Numbers.pipe()
                let result = trial.apply(source)
                let recorders = (0..<3).map { _ in trial.recorder() }
                threads.race { thread in
                    if thread == 3 {
                        input.sendNext(1)
                        input.sendCompleted()
                    } else {
                        result.observe { recorders[thread].record($0) }
                    }
                }
                for recorder in recorders {
                    recorder.ended.wait()
                    trial.expectOneEnd(recorder, "an observer comes while a thread completes the source")
                }
            }
        }
    }

    private static func observingTheEnd(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let result = trial.apply(source)
        let first = trial.record(result)
        input.sendCompleted()
        first.ended.wait()
        for ended in [result] + (trial.traits.isAsynchronous ? [] : [trial.apply(source)]) {
            let recorder = trial.recorder()
            let disposable = ended.observe { recorder.record($0) }
            if trial.traits.isAsynchronous {
                // Another thread may still be delivering the terminal event.
                recorder.ended.wait()
            } else {
                trial.expect(disposable == nil, "observing a result that has ended returns a disposable")
            }
            trial.expect(recorder.terminals, is: 1, "observing a result that has ended: terminal events")
        }
        let late = trial.record(result)
        if trial.traits.isAsynchronous { late.ended.wait() }
        trial.expect(late.events, is: [.interrupted], "observing a result that has ended")
    }

    private static func ends(_ trial: ContractTrial) {
        for terminal in OperatorTraits.Terminal.allCases {
            let (source, input) = Numbers.pipe()
            let recorder = trial.record(trial.apply(source))
            input.send(terminal.event)
            recorder.ended.wait()
            trial.expectOneEnd(recorder, "\(terminal.event) is sent")
            trial.expect(
                recorder.events.last, is: trial.traits.outcome(of: terminal),
                "\(terminal.event) is sent, the last event")
        }
        guard trial.traits.isTransparent else { return }
        for terminal in OperatorTraits.Terminal.allCases {
            let (source, input) = Numbers.pipe()
            let recorder = trial.record(trial.apply(source))
            for value in 1...3 { input.sendNext(value) }
            input.send(terminal.event)
            recorder.ended.wait()
            let circumstances = "1, 2, 3 and \(terminal.event) are sent"
            trial.expectOneEnd(recorder, circumstances)
            // Whatever replaces an error may send values of its own.
            let first = Array(recorder.values.prefix(3))
            if terminal == .completed {
                trial.expect(first, is: [1, 2, 3], "\(circumstances), values")
            } else {
                trial.expect(first, beforeExceptionIs: [1, 2, 3], "\(circumstances), values")
            }
            trial.expect(
                recorder.events.last, is: trial.traits.outcome(of: terminal), "\(circumstances), the last event")
            if terminal == .completed || terminal == .interrupted && !trial.traits.isAsynchronous {
                trial.expect(recorder.values.count, is: 3, "\(circumstances), the number of values")
            }
        }
    }

    private static func exceptions(_ trial: ContractTrial) {
        for terminal in [OperatorTraits.Terminal.error, .interrupted] {
            let expected = trial.traits.outcome(of: terminal)
            let (source, input) = Numbers.pipe()
            let recorder = trial.record(trial.apply(source))
            input.sendNext(1)
            input.send(terminal.event)
            if !trial.traits.isAsynchronous {
                trial.expect(
                    recorder.events.last, is: expected,
                    "\(terminal.event) is sent, the last event before the send returns")
            }
            recorder.ended.wait()
            input.sendCompleted()
            trial.expect(recorder.events.last, is: expected, "\(terminal.event) is sent, the last event")
            trial.expectOneEnd(recorder, "\(terminal.event) is sent, and then completion")
        }
    }

    private static func closuresSeeValuesOnly(_ trial: ContractTrial) {
        for terminal in OperatorTraits.Terminal.allCases {
            let (source, input) = Numbers.pipe()
            let probe = ContractProbeCounter().probe()
            let recorder = trial.record(trial.apply(source, probe))
            input.send(terminal.event)
            recorder.ended.wait()
            trial.expect(
                probe.calls > 0, is: trial.traits.terminalsSeen.contains(terminal),
                "\(terminal.event) is sent, whether closures are called")
        }
    }
}
