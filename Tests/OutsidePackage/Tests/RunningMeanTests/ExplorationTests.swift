#if Explore
import ReactiveSignals
import ReactiveSignalsTesting
import RunningMean
import Testing

/// `swift test --traits Explore --filter ExplorationTests`
@Suite("The operator of another package, in every order of its threads", .serialized)
struct ExplorationTests {
    @Test("keeps the contract")
    func rightOperator() throws {
        try OperatorContract(ofSignals: "runningMean", OperatorTraits(isTransparent: true)) {
            $0.runningMean(of: 1, measure: $1.see)
        }.explore()
        try OperatorContract(ofProducers: "runningMean") { $0.runningMean(of: 3, measure: $1.see) }.explore()
    }

    /// Broken: sends what the property has, not the value of the event.
    private static let relayed = OperatorContract(ofSignals: "relayed", OperatorTraits(isTransparent: true)) {
        source, probe in
        let latest = MutableProperty(0)
        let (output, input) = Signal<Int, ContractError>.pipe(contention: .enqueue)
        source.observe { event in
            guard let value = event.value else { return input.send(event) }
            latest.value = probe.see(value)
            input.sendNext(value)
        }
        return output.map { _ in latest.value }
    }

    @Test("an operator that is wrong only if a disposal comes at a certain moment is found, and replayed")
    func brokenOperator() throws {
        let thrown = try #require(throws: ContractViolations.self) { try Self.relayed.explore() }
        #expect(thrown.description.contains("has got values twice"))
        let line = try #require(thrown.description.split(separator: "\n").last).trimmingPrefix("  ")
        #expect(line.hasPrefix("disposal: "))
        let again = try #require(throws: ContractViolations.self) { try Self.relayed.replay(String(line)) }
        #expect(again.description == thrown.description)
    }

    @Test("a violation names a line that replays it")
    func wrongOperator() throws {
        let contract = OperatorContract(ofSignals: "runningMean", OperatorTraits(isTransparent: true)) {
            $0.runningMean(of: 3, measure: $1.see)
        }
        let thrown = try #require(throws: ContractViolations.self) { try contract.explore() }
        let line = try #require(thrown.description.split(separator: "\n").last).trimmingPrefix("  ")
        #expect(line.hasPrefix("senders: "))
        #expect(throws: ContractViolations.self) { try contract.replay(String(line)) }
        let unknown = try #require(throws: ContractViolations.self) { try contract.replay("17=1 /85") }
        #expect(unknown.description.contains("\"17=1 /85\" is no line of explore()"))
    }
}
#endif
