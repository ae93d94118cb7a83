import Foundation
import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 4 of the design: threads never deadlock on each other's signals, for many events and several inputs.
@Suite("Waiting contract", .watched)
struct WaitingContractTests {
    @Test("4: two signals that feed each other from two threads lose none of 20,000 events each way")
    func crossedFeeds() {
        expectNothingFound { trial in trial.withThreads(2) { ContractCheck.cross(trial, events: 20_000, on: $0) } }
    }

    @Test("4: two signals that start to feed each other lose nothing in many rounds")
    func manyCrossedFeeds() {
        expectNothingFound { trial in
            trial.withThreads(2) { threads in
                for _ in 0..<raceRounds { ContractCheck.cross(trial, events: 2, on: threads) }
            }
        }
    }

    @Test("4: rings of three signals and 3 to 8 threads neither deadlock nor lose events", arguments: 3...8)
    func rings(_ threadCount: Int) {
        expectNothingFound { ContractCheck.ring($0, threadCount: threadCount, events: 2_000) }
    }

    /// Expects that a check of signals, without an operator, finds nothing.
    private func expectNothingFound(_ check: (ContractTrial) -> Void) {
        let trial = ContractTrial(Entry.plain.contract, rounds: 1, depth: 1, patience: patience, trapping: true)
        check(trial)
        expect(trial.found.map(\.details), is: [])
    }

    @Test(
        "4: two results that share their inputs in opposite order do not deadlock",
        arguments: Joint.table + Joint.guided + Joint.guidedProducers)
    func opposedResults(_ joint: Joint) {
        withThreads(joint.inputCount) { threads in
            for _ in 0..<min(500, 2 * raceRounds) {
                let pipes = (0..<joint.inputCount).map { _ in Numbers.pipe() }
                let inputs = pipes.map(\.input)
                let outputs = pipes.map(\.output)
                let results = [joint.join(outputs), joint.join(outputs.reversed())]
                let recorders = results.map { $0.recorded() }
                // Each result also feeds an input, so that threads enter the gates in both directions.
                for (result, input) in zip(results, inputs) {
                    result.observe { event in
                        if let value = event.value, value < 100 { input.sendNext(1_000) }
                    }
                }
                threads.race { thread in
                    for value in 0..<3 { inputs[thread].sendNext(value) }
                    inputs[thread].sendCompleted()
                }
                for recorder in recorders {
                    recorder.ended.wait()
                    expect(recorder.violations, is: [])
                    expect(recorder.events.last, is: .completed)
                }
            }
        }
    }

    @Test("4: an operator with several inputs never waits if one of them is .enqueue", arguments: Joint.table)
    func inheritedContention(_ joint: Joint) {
        withThreads(2) { threads in
            for enqueuing in 0..<joint.inputCount {
                let pipes = (0..<joint.inputCount).map { index in
                    Numbers.pipe(contention: index == enqueuing ? .enqueue : .wait)
                }
                let inputs = pipes.map(\.input)
                let lock = NSLock()
                let (isLocked, isDelivering) = (Moment("the lock"), Moment("a delivery"))
                let recorder = Recorder()
                let result = joint.join(pipes.map(\.output))
                result.observe { _ in isDelivering.arrive() }
                result.observe { event in lock.withLock { recorder.record(event) } }
                // From here on, the second input's value produces a result. A merge needs no other values for that.
                if !joint.isMerge {
                    for input in inputs.enumerated() where input.offset != 1 { input.element.sendNext(0) }
                }
                threads.race { thread in
                    if thread == 0 {
                        lock.lock()
                        isLocked.arrive()
                        isDelivering.wait()
                        // The result's gate is taken, this input's gate is free.
                        inputs[0].sendNext(2)
                        lock.unlock()
                    } else {
                        isLocked.wait()
                        inputs[1].sendNext(1)
                    }
                }
                // The other inputs must not be released earlier, which would interrupt.
                withExtendedLifetime(inputs) { joint.fail(inputs, at: 0) }
                expect(recorder.violations, is: [])
                expect(recorder.events.last, is: .error(TestError()))
                #expect(recorder.values.contains(1))
                if !joint.isZip { expect(recorder.values.suffix(2), is: [1, joint.isMerge ? 2 : 3]) }
            }
        }
    }
}
