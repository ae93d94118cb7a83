import HotSignals
import ReactiveSignals

/// Contracts 2 and 9: one event at a time, in order, on the sender's thread.
extension ContractCheck {
    static let order = [
        ContractCheck(
            2, rule: "an observer needs no synchronisation", for: .all, usesThreads: true, unsynchronisedObserver),
        ContractCheck(
            2, rule: "each sender's order is kept and nothing is lost", for: .transparent, usesThreads: true, keptOrder),
        ContractCheck(
            2, rule: "a sender waits for the event in flight, and its own is handled when it returns",
            for: .transparentAndSynchronous, usesThreads: true, senderWaits),
        ContractCheck(
            9, rule: "events stay on the sender's thread", for: .synchronous, usesThreads: true, sendersThread),
    ]

    private static func unsynchronisedObserver(_ trial: ContractTrial) {
        trial.withThreads(4) { threads in
            for _ in 0..<min(20, trial.rounds) where !trial.hasFailed {
                let (source, input) = Numbers.pipe()
                let result = trial.apply(source)
                // Plain variables, so that the thread sanitizer detects every race.
                let (plain, counted) = (PlainNumber(), ContractCount())
                let ended = trial.moment("the end of what four threads send")
                result.observe { event in
                    plain.number += 1
                    counted.increment()
                    if event.isTerminating { ended.arrive() }
                }
                threads.race { thread in
                    for value in 0..<50 { input.sendNext(thread * 100 + value) }
                }
                input.sendCompleted()
                ended.wait()
                trial.expect(plain.number, is: counted.value, "events counted by an observer without a lock")
            }
        }
    }

    private static func keptOrder(_ trial: ContractTrial) {
        trial.withThreads(8) { threads in
            let (source, input) = Numbers.pipe()
            let recorder = trial.record(trial.apply(source))
            threads.race { thread in
                for value in 0..<500 { input.sendNext(thread * 1_000 + value) }
            }
            input.sendCompleted()
            recorder.ended.wait()
            for thread in 0..<8 {
                trial.expect(
                    recorder.values.filter { $0 / 1_000 == thread }, is: (0..<500).map { thread * 1_000 + $0 },
                    "8 threads send 500 values each, those of one of them")
            }
            trial.expect(recorder.violations, is: [], "8 threads send 500 values each")
        }
    }

    private static func senderWaits(_ trial: ContractTrial) {
        trial.withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let result = trial.apply(source)
            let recorder = trial.recorder()
            let isDelivering = trial.moment("the delivery of the first value")
            let isAboutToSend = trial.moment("the second sender")
            let sender = Locked<ContractThreadPath?>(nil)
            result.observe { event in
                if event == .next(1) {
                    isDelivering.arrive()
                    isAboutToSend.wait()
                    // All that the sender can wait for now is this delivery.
                    sender.withLock { $0 }?.waitUntilAsleep(atMost: trial.patience)
                }
                recorder.record(event)
            }
            threads.race { thread in
                if thread == 0 {
                    input.sendNext(1)
                    // If the value was not delivered, the other thread must not wait for it.
                    isDelivering.arrive()
                } else {
                    isDelivering.wait()
                    trial.expect(recorder.values, is: [], "a sender comes while 1 is being delivered, before it sends")
                    sender.withLock { $0 = .current }
                    isAboutToSend.arrive()
                    input.sendNext(2)
                    trial.expect(
                        recorder.values, is: [1, 2], "a sender of 2 comes while 1 is being delivered, and returns")
                }
            }
        }
    }

    private static func sendersThread(_ trial: ContractTrial) {
        trial.withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let sender = Locked<UInt>(0)
            let strangers = ContractCount()
            trial.apply(source).observe { _ in
                if ThreadIdentity.current != sender.withLock({ $0 }) { strangers.increment() }
            }
            for turn in 0..<6 {
                threads.race { thread in
                    guard thread == turn % 2 else { return }
                    sender.withLock { $0 = ThreadIdentity.current }
                    input.sendNext(turn)
                }
            }
            sender.withLock { $0 = ThreadIdentity.current }
            input.sendCompleted()
            trial.expect(
                strangers.value, is: 0, "two threads send in turn, events on another thread than their sender's")
        }
    }
}

/// A number without synchronization.
private final class PlainNumber: @unchecked Sendable {
    // Sendable: the contract guarantees that observers are called one at a time.
    var number = 0
}
