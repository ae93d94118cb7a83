import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Records violations directly, because signals prevent them.
@Suite("ContractRecorder", .watched)
struct ContractRecorderTests {
    private func makeTrial(patience: Duration = patience) -> ContractTrial {
        ContractTrial(
            OperatorContract(ofSignals: "none") { source, _ in source }, rounds: 1, depth: 1, patience: patience)
    }

    @Test("reports an event after the end")
    func afterTheEnd() {
        let recorder = makeTrial().recorder()
        recorder.record(.next(1))
        recorder.record(.completed)
        recorder.record(.next(2))
        recorder.record(.interrupted)
        expect(recorder.violations, is: ["NEXT 2 after COMPLETED", "INTERRUPTED after COMPLETED"])
        expect(recorder.terminals, is: 2)
        expect(recorder.values, is: [1, 2])
    }

    @Test("reports overlapping events")
    func overlapping() {
        let trial = makeTrial()
        let recorder = trial.recorder()
        recorder.record(.next(1)) { recorder.record(.next(2)) }
        recorder.record(.next(3))
        expect(recorder.violations, is: ["NEXT 2 overlaps another event"])
        #expect(trial.found.isEmpty)
    }

    @Test("counts repeated violations, limits their number, and describes them")
    func violations() {
        let trial = makeTrial()
        for _ in 0..<3 { trial.expect(1, is: 2, "one") }
        trial.expect(true, "two")
        trial.expect(false, "three")
        expect(trial.found.map(\.details), is: ["one: expected 2, got 1", "three"])
        expect(trial.found.map(\.count), is: [3, 1])
        for number in 0..<100 { trial.fail("\(number)") }
        expect(trial.found.count, is: 10)
        let violation = ContractViolation(contracts: [1, 2], rule: "a rule", details: "what was found", count: 3)
        expect(violation.description, is: "1, 2: a rule: what was found (3 times)")
        let all = ContractViolations(name: "mine", violations: [violation])
        expect(all.description, is: "mine breaks the contract in one point:\n- 1, 2: a rule: what was found (3 times)")
    }

    @Test("gives up when a moment does not come, and reports nothing further")
    func givingUp() {
        // check-waits: the moment never comes.
        let trial = makeTrial(patience: .milliseconds(1))
        trial.moment("a moment").wait()
        #expect(trial.isGivenUp)
        trial.fail("later")
        // Neither of these waits.
        trial.moment("another").wait()
        trial.withThreads(2) { threads in threads.race { _ in trial.fail("in a race") } }
        expect(trial.found.map(\.details), is: ["hangs: a moment does not come"])
    }

    @Test("gives up a check that makes no progress between two looks")
    func standingStill() {
        let trial = makeTrial()
        var looks = 0
        trial.watch {
            looks += 1
            return looks == 100
        }
        expect(looks, is: 2)
        #expect(trial.isGivenUp)
        expect(trial.found.map(\.details), is: ["hangs: the check does not return"])
    }

    @Test("waits for a check as long as it makes progress")
    func slow() {
        let trial = makeTrial()
        var looks = 0
        trial.watch {
            looks += 1
            trial.progress()
            return looks == 100
        }
        expect(looks, is: 100)
        #expect(!trial.isGivenUp)
        #expect(trial.found.isEmpty)
    }
}
