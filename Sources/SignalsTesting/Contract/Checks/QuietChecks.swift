import HotSignals
import ReactiveSignals

/// Contract 8: an operator that has been disposed of stops working.
extension ContractCheck {
    static let quiet = [
        ContractCheck(
            8, rule: "closures are not called for values that come, or wait, when the result is disposed of", for: .all,
            usesThreads: true
        ) { trial in
            closures(trial) { source, probe in
                let result = Locked<Numbers?>(trial.apply(source, probe))
                let disposable = result.withLock { $0 }?.observe { _ in }
                return AnyDisposable {
                    withExtendedLifetime(result.withLock { $0.take() }) {}
                    disposable?.dispose()
                }
            }
        },
        ContractCheck(
            8, rule: "nor when a start is disposed of", for: .cold, usesThreads: true
        ) { trial in
            if trial.traits.sharesStarts || trial.traits.isEager { return }
            closures(trial) { source, probe in trial.applyCold(source.producer, probe).start { _ in } }
        },
    ]

    /// The number of values sent.
    private static let length = 50

    /// Disposes of the result during the first call of a closure, with more values waiting, and counts the calls that
    /// begin after that.
    private static func closures(
        _ trial: ContractTrial, _ start: @escaping @Sendable (Numbers, ContractProbe) -> any Disposable
    ) {
        guard callsClosures(trial) else { return }
        let probes = ContractProbeCounter()
        let late = ContractCount()
        trial.withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let (isCalled, isSent, isDisposed) = (Monitor(false), Monitor(false), Monitor(false))
            let isFirst = AtomicBox()
            let disposable = start(
                source,
                probes.probe(onCall: {
                    if isDisposed.read({ $0 }) {
                        late.increment()
                    } else if isFirst.flag.raise() {
                        isCalled.withLock { $0 = true }
                        // Limited: that disposal does not wait for a call is tested by another check.
                        _ = isDisposed.wait(atMost: min(trial.patience, .seconds(5))) { $0 }
                    }
                }))
            threads.race { thread in
                if thread == 0 {
                    for value in 1...length { input.sendNext(value) }
                    isSent.withLock { $0 = true }
                    if !trial.traits.isAsynchronous { isCalled.withLock { $0 = true } }
                } else {
                    _ = isCalled.wait(atMost: min(trial.patience, .seconds(5))) { $0 }
                    // All values must be waiting behind that call, unless the sender's thread makes it.
                    if trial.traits.isAsynchronous { _ = isSent.wait(atMost: .seconds(1)) { $0 } }
                    disposable.dispose()
                    isDisposed.withLock { $0 = true }
                    for value in 1...length { input.sendNext(value) }
                }
            }
            input.sendCompleted()
        }
        trial.expectEmpty(
            probes, afterRace: true, "the result of an operator whose closure is being called is disposed of")
        // Calls that began on several threads before the disposal may be counted after it.
        trial.expect(
            late.value <= length / 2,
            "\(length) values are sent, the result is disposed of in the first call of a closure, and \(length) more are sent: "
                + "\(late.value) calls have begun after the disposal")
    }

    private static func callsClosures(_ trial: ContractTrial) -> Bool {
        let (source, input) = Numbers.pipe()
        let probe = ContractProbeCounter().probe()
        let recorder = trial.record(trial.apply(source, probe))
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        recorder.ended.wait()
        return probe.calls > 0
    }
}
