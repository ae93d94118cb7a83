import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport

// The parts of the contract checker that other tests use as well.

typealias TestError = ContractError
typealias Terminal = OperatorTraits.Terminal
typealias Probe = ContractProbe
typealias ProbeCounter = ContractProbeCounter
typealias Count = ContractCount
typealias Recorder = ContractRecorder
typealias Moment = ContractMoment
typealias RacingThreads = ContractThreads
typealias Numbers = OperatorContract.Numbers

extension ContractTrial {
    /// For tests that check no operator: a test that hangs ends the process.
    static let suite = ContractTrial(
        Entry.plain.contract, rounds: raceRounds, depth: 1, patience: TestSupport.patience, trapping: true)
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

/// Runs rounds on threads that end afterward. Returns when no thread of the library delivers what they have left.
func withThreads(_ count: Int, _ rounds: (RacingThreads) -> Void) {
    ContractTrial.suite.withThreads(count, rounds)
    waitUntilDrained()
}

/// Runs `body` on a thread with that stack size, and waits for it.
func onThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    ContractTrial.suite.onThread(stackSize: stackSize, body)
}

/// A tap that calls a probe with each event.
struct ProbeTap: StreamTap {
    let probe: Probe

    func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Void) { _ = probe.see(event) }
}

struct SilentTap: StreamTap {}
