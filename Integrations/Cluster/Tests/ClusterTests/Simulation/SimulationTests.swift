import Foundation
import Testing

/// Each type on a network with random faults, on virtual time, against a model of what every replica may see.
///
/// `CLUSTER_SEEDS` sets the number of seeds of each type, `CLUSTER_FIRST_SEED` the first one.
@Suite("On a faulty network")
struct SimulationTests {
    private static let all: [Scenario] = [
        .remoteSignal, .repairedSignal, .journal, .replicatedProperty, .presence, .remoteAction,
    ]

    @Test("what replicas see is what they may see", arguments: all)
    func simulate(_ scenario: Scenario) async {
        let environment = ProcessInfo.processInfo.environment
        if let chosen = environment["CLUSTER_SCENARIO"], chosen != scenario.description { return }
        let count = environment["CLUSTER_SEEDS"].flatMap { UInt64($0) } ?? 100
        let first = environment["CLUSTER_FIRST_SEED"].flatMap { UInt64($0) } ?? 0
        for seed in first..<first + count {
            do {
                try await scenario.run(seed: seed)
            } catch {
                Issue.record(
                    """
                    \(error). Replay: CLUSTER_SCENARIO=\(scenario) CLUSTER_FIRST_SEED=\(seed) CLUSTER_SEEDS=1 \
                    swift test --disable-xctest --filter SimulationTests
                    """)
                return
            }
        }
    }
}
