import HotSignals
import ReactiveSignals

/// Contract 4: no cycle of threads that wait for each other's signals.
extension ContractCheck {
    static let waiting = [
        ContractCheck(
            4, rule: "two signals that feed each other from two threads do not hang and lose nothing",
            for: .transparentAndSynchronous, usesThreads: true
        ) { trial in trial.withThreads(2) { cross(trial, events: 500, on: $0) } },
        ContractCheck(
            4, rule: "nor do rings of three signals and four threads", for: .transparentAndSynchronous,
            usesThreads: true
        ) { ring($0, threadCount: 4, events: 100) },
        ContractCheck(
            4, rule: "with an .enqueue source a sender that holds a lock that an observer wants does not hang",
            for: .all, usesThreads: true,
            foreignLock),
    ]

    /// Two signals that feed each other: every nonnegative value is passed on as -1 - value, which is not passed on
    /// again.
    package static func cross(_ trial: ContractTrial, events: Int, on threads: ContractThreads) {
        let pipes = (0..<2).map { _ in Numbers.pipe() }
        let inputs = pipes.map(\.input)
        let recorders = (0..<2).map { _ in trial.recorder() }
        // Limited, because a value that comes out need not be the one that was sent, and could circulate forever.
        let budget = ContractCount()
        let received = ContractCount()
        for (index, pipe) in pipes.enumerated() {
            let other = inputs[1 - index]
            let recorder = recorders[index]
            trial.apply(pipe.output).observe { event in
                recorder.record(event)
                if let value = event.value, value >= 0, budget.increment() <= 2 * events { other.sendNext(-1 - value) }
                received.increment()
            }
        }
        threads.race { thread in
            for value in 0..<events { inputs[thread].sendNext(value) }
        }
        trial.awaitDelivery(of: 4 * events, countedBy: received)
        for recorder in recorders {
            trial.expect(
                recorder.values.filter { $0 >= 0 }, is: Array(0..<events),
                "two signals feed each other: a sender's own values")
            trial.expect(
                recorder.values.filter { $0 < 0 }, is: (0..<events).map { -1 - $0 },
                "two signals feed each other: the values of the other one")
            trial.expect(recorder.violations, is: [], "two signals feed each other")
        }
        // Breaks the cycle of observers that retain inputs.
        if !trial.isGivenUp { for input in inputs { input.sendCompleted() } }
    }

    package static func ring(_ trial: ContractTrial, threadCount: Int, events: Int) {
        trial.withThreads(threadCount) { threads in
            let pipes = (0..<3).map { _ in Numbers.pipe() }
            let inputs = pipes.map(\.input)
            let recorders = (0..<3).map { _ in trial.recorder() }
            let budget = ContractCount()
            let received = ContractCount()
            for (index, pipe) in pipes.enumerated() {
                let next = inputs[(index + 1) % 3]
                let recorder = recorders[index]
                trial.apply(pipe.output).observe { event in
                    recorder.record(event)
                    // A value circulates until all three signals have received it.
                    if let value = event.value, value < 2, budget.increment() <= 2 * threadCount * events {
                        next.sendNext(value + 1)
                    }
                    received.increment()
                }
            }
            threads.race { thread in
                for _ in 0..<events { inputs[thread % 3].sendNext(0) }
            }
            trial.awaitDelivery(of: threadCount * events * 3, countedBy: received)
            trial.expect(
                recorders.reduce(0) { $0 + $1.values.count }, is: threadCount * events * 3,
                "\(threadCount) threads send \(events) values each into a ring of three signals: how many come")
            trial.expect(recorders.flatMap(\.violations), is: [], "a ring of three signals")
            if !trial.isGivenUp { for input in inputs { input.sendCompleted() } }
        }
    }

    private static func foreignLock(_ trial: ContractTrial) {
        trial.withThreads(2) { threads in
            for _ in 0..<min(10, trial.rounds) where !trial.hasFailed {
                let (source, input) = Numbers.pipe(contention: .enqueue)
                let lock = UsersLock()
                let (isLocked, isDelivering) = (trial.moment("the lock"), trial.moment("a delivery"))
                let recorder = trial.recorder()
                // Observes before the operator does, so that 2 is certainly in flight, even if the operator drops it.
                source.observe { event in
                    if event.value == 2 { isDelivering.arrive() }
                }
                trial.apply(source).observe { event in
                    lock.lock()
                    recorder.record(event)
                    lock.unlock()
                }
                source.observe { _ in
                    lock.lock()
                    lock.unlock()
                }
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
                let circumstances = "a thread sends 3 to 9 with a lock held that the observer of 2 wants"
                if trial.traits.isTransparent {
                    trial.expect(recorder.values, is: Array(2...9), "\(circumstances): values")
                }
                trial.expect(recorder.violations, is: [], circumstances)
            }
        }
    }
}

/// A lock that a user holds while sending.
private final class UsersLock: Sendable {
    private let isTaken = Monitor(false)

    func lock() {
        while true {
            let isMine = isTaken.withLock(wakingIf: { _ in false }) { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
            if isMine { return }
            _ = isTaken.wait(atMost: .seconds(3_600)) { !$0 }
        }
    }

    func unlock() { isTaken.withLock { $0 = false } }
}

extension ContractTrial {
    /// Waits until that many events have been received. A thread that delivers those of others leaves what comes after
    /// its share to a thread of the library, so the last ones can come after all senders have returned.
    fileprivate func awaitDelivery(of count: Int, countedBy received: ContractCount) {
        if !isGivenUp { received.wait(for: count, atMost: patience) }
    }
}
