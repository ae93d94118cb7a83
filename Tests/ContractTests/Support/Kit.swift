import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport

// What the contract checker is made of serves the tests that are about something else than one operator, too.

typealias TestError = ContractError
typealias Terminal = OperatorTraits.Terminal
typealias Witness = ContractWitness
typealias Census = ContractCensus
typealias Count = ContractCount
typealias Recorder = ContractRecorder
typealias Moment = ContractMoment
typealias RacingThreads = ContractThreads
typealias Numbers = OperatorContract.Numbers

extension ContractTrial {
    /// Where no operator is checked: what hangs ends the process.
    static let suite = ContractTrial(
        Entry.plain.contract, rounds: raceRounds, depth: 1, patience: .seconds(180), trapping: true)
}

extension ContractRecorder {
    convenience init() { self.init(in: .suite) }
}

extension ContractMoment {
    convenience init(_ name: String) { self.init(name, in: .suite) }
}

extension Signal<Int, ContractError> {
    func recorded() -> Recorder { ContractTrial.suite.record(self) }
}

/// Runs some rounds on threads that are ended afterwards.
func withThreads(_ count: Int, _ rounds: (RacingThreads) -> Void) { ContractTrial.suite.withThreads(count, rounds) }

/// Runs `body` on a thread with a stack of that size, and waits for it.
func onThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    ContractTrial.suite.onThread(stackSize: stackSize, body)
}
