import Foundation
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Contract 4 of the design: no cycle of threads that wait for each other's signals, whatever the operator between them.
@Suite("Waiting", .watched)
struct WaitingContractTests {
    @Test("4: two signals feed each other from two threads, 20,000 events each way, and none is lost")
    func crossedFeeds() { cross(.plain, events: 20_000) }

    @Test("4: so they do through each operator", arguments: Entry.transparentAndSynchronous)
    func crossedFeeds(_ entry: Entry) { cross(entry, events: 500) }

    @Test("4: two signals begin to feed each other in 2,500 rounds")
    func manyCrossedFeeds() {
        withThreads(2) { threads in
            for _ in 0..<manyRounds { cross(.plain, events: 2, on: threads) }
        }
    }

    private func cross(_ entry: Entry, events: Int) {
        withThreads(2) { cross(entry, events: events, on: $0) }
    }

    /// Two signals that feed each other: every value that is not negative is passed on as -1 - value, which ends there.
    private func cross(_ entry: Entry, events: Int, on threads: RacingThreads) {
        let pipes = (0..<2).map { _ in Numbers.pipe() }
        let inputs = pipes.map(\.input)
        let recorders = (0..<2).map { _ in Recorder() }
        for (index, pipe) in pipes.enumerated() {
            let other = inputs[1 - index]
            let recorder = recorders[index]
            entry.apply(pipe.output).observe { event in
                recorder.record(event)
                if let value = event.value, value >= 0 { other.sendNext(-1 - value) }
            }
        }
        threads.race { thread in
            for value in 0..<events { inputs[thread].sendNext(value) }
        }
        // What was handed over has been delivered by the thread that took it, and both have returned.
        for recorder in recorders {
            #expect(recorder.values.filter { $0 >= 0 } == Array(0..<events), "the sender's own")
            #expect(recorder.values.filter { $0 < 0 } == (0..<events).map { -1 - $0 }, "those of the other one")
            #expect(recorder.violations == [])
        }
        // Ends the cycle of observers that hold inputs.
        for input in inputs { input.sendCompleted() }
    }

    @Test("4: rings of three signals and 3 to 8 threads do not hang and lose nothing", arguments: 3...8)
    func rings(_ threadCount: Int) { ring(.plain, threadCount: threadCount, events: 2_000) }

    @Test("4: so do rings through each operator", arguments: Entry.transparentAndSynchronous)
    func ringsOfOperators(_ entry: Entry) { ring(entry, threadCount: 4, events: 100) }

    private func ring(_ entry: Entry, threadCount: Int, events: Int) {
        withThreads(threadCount) { threads in
            let pipes = (0..<3).map { _ in Numbers.pipe() }
            let inputs = pipes.map(\.input)
            let recorders = (0..<3).map { _ in Recorder() }
            for (index, pipe) in pipes.enumerated() {
                let next = inputs[(index + 1) % 3]
                let recorder = recorders[index]
                entry.apply(pipe.output).observe { event in
                    recorder.record(event)
                    // A value goes round until it has been seen by all three.
                    if let value = event.value, value < 2 { next.sendNext(value + 1) }
                }
            }
            threads.race { thread in
                for _ in 0..<events { inputs[thread % 3].sendNext(0) }
            }
            #expect(recorders.reduce(0) { $0 + $1.values.count } == threadCount * events * 3)
            #expect(recorders.flatMap(\.violations) == [])
            for input in inputs { input.sendCompleted() }
        }
    }

    @Test(
        "4: two results that share their inputs in opposite order do not hang, whoever sends",
        arguments: Joint.table + Joint.guided + Joint.guidedProducers)
    func opposedResults(_ joint: Joint) {
        withThreads(joint.inputCount) { threads in
            for _ in 0..<500 {
                let pipes = (0..<joint.inputCount).map { _ in Numbers.pipe() }
                let inputs = pipes.map(\.input)
                let outputs = pipes.map(\.output)
                let results = [joint.join(outputs), joint.join(outputs.reversed())]
                let recorders = results.map { $0.recorded() }
                // Each result feeds an input, too, so that threads go through the gates in both directions.
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
                    #expect(recorder.violations == [])
                    #expect(recorder.events.last == .completed)
                }
            }
        }
    }

    @Test(
        "4: with an .enqueue source a sender that holds a lock that an observer wants does not hang",
        arguments: [Entry.plain] + Entry.table)
    func foreignLock(_ entry: Entry) {
        withThreads(2) { threads in
            for _ in 0..<10 {
                let (source, input) = Numbers.pipe(contention: .enqueue)
                let lock = NSLock()
                let (isLocked, isDelivering) = (Moment("the lock"), Moment("a delivery"))
                let recorder = Recorder()
                // Before the operator's: the second value is in flight for certain, even if the operator drops it.
                source.observe { event in
                    if event.value == 2 { isDelivering.arrive() }
                }
                entry.apply(source).observe { event in
                    lock.withLock { recorder.record(event) }
                }
                source.observe { _ in lock.withLock {} }
                threads.race { thread in
                    if thread == 0 {
                        lock.lock()
                        isLocked.arrive()
                        isDelivering.wait()
                        for value in 3...9 { input.sendNext(value) }
                        input.sendCompleted()
                        lock.unlock()
                    } else {
                        isLocked.wait()
                        input.sendNext(2)
                    }
                }
                recorder.ended.wait()
                if entry.isTransparent { #expect(recorder.values == Array(2...9)) }
                #expect(recorder.violations == [])
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
                // From here on the second input's value makes a result. That of a merge needs no others.
                if !joint.isMerge {
                    for input in inputs.enumerated() where input.offset != 1 { input.element.sendNext(0) }
                }
                threads.race { thread in
                    if thread == 0 {
                        lock.lock()
                        isLocked.arrive()
                        isDelivering.wait()
                        // The result's gate is taken, this input's is free.
                        inputs[0].sendNext(2)
                        lock.unlock()
                    } else {
                        isLocked.wait()
                        inputs[1].sendNext(1)
                    }
                }
                // The other inputs must not be released before: that would interrupt.
                withExtendedLifetime(inputs) { inputs[0].sendError(TestError()) }
                #expect(recorder.violations == [])
                #expect(recorder.events.last == .error(TestError()))
                #expect(recorder.values.contains(1))
                if !joint.isZip { #expect(recorder.values.suffix(2) == [1, joint.isMerge ? 2 : 3]) }
            }
        }
    }
}
