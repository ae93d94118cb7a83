/// A moment that threads wait for.
package final class ContractMoment: Sendable {
    private let hasCome = Monitor(false)
    private let name: String
    // The trial outlives the threads that wait.
    private let trial: ContractTrial

    package init(_ name: String, in trial: ContractTrial) {
        self.name = name
        self.trial = trial
    }

    package func arrive() { hasCome.withLock { $0 = true } }

    /// Waits for the moment. Gives up the trial if it does not come in time.
    package func wait() {
        if trial.isGivenUp || hasCome.read({ $0 }) { return }
        if hasCome.wait(atMost: trial.patience, until: { $0 }) { return trial.progress() }
        trial.giveUp("\(name) does not come")
    }
}

extension ContractTrial {
    package func moment(_ name: String) -> ContractMoment { ContractMoment(name, in: self) }
}
