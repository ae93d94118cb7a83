import Foundation
import ReactiveSignals
import TestSupport
import Testing

/// Chains of operators that are drawn at random, against a model that is plain.
///
/// A failure says how to run its case again. `REACTIVE_SEED` fixes what is drawn, `REACTIVE_CHAIN` picks one chain of it.
@Suite("Random chains", .watched)
struct RandomChainsTests {
    private static let batches = 16
    private static let batchSize = 1_500
    private static let environment = ProcessInfo.processInfo.environment

    private static let baseSeed: UInt64 = {
        let seed = environment["REACTIVE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64(UInt32.max))
        print("random chains: seed \(seed), \(batches * batchSize) chains")
        return seed
    }()

    private static func chain(_ number: Int) -> ChainCase {
        var seeds = SplitMix64(seed: baseSeed ^ UInt64(number) << 32)
        var random = SplitMix64(seed: seeds.next())
        return ChainCase.random(&random)
    }

    @Test("give what the model gives", arguments: 0..<batches)
    func chains(batch: Int) {
        var numbers = Array(batch * Self.batchSize..<(batch + 1) * Self.batchSize)
        if let only = Self.environment["REACTIVE_CHAIN"].flatMap(Int.init) { numbers = numbers.filter { $0 == only } }
        var ambiguous = 0
        for number in numbers {
            let chain = Self.chain(number)
            guard let expected = ModelRun.outcome(of: chain) else {
                ambiguous += 1
                continue
            }
            if fails(chain, expected) { return report(chain, number) }
        }
        #expect(ambiguous <= numbers.count / 50, "seed \(Self.baseSeed): too many chains are not compared")
    }

    private func fails(_ chain: ChainCase, _ expected: Outcome) -> Bool {
        !ChainRun.outcome(of: chain).agrees(with: expected, hasReactions: !chain.reactions.isEmpty)
    }

    private func report(_ chain: ChainCase, _ number: Int) {
        let smallest = chain.shrunk { smaller in
            ModelRun.outcome(of: smaller).map { fails(smaller, $0) } ?? false
        }
        Issue.record(
            """
            seed \(Self.baseSeed), chain \(number), made as small as possible:
            \(smallest)
            expected:  \(ModelRun.outcome(of: smallest)?.description ?? "anything")
            got:       \(ChainRun.outcome(of: smallest))
            again:     REACTIVE_SEED=\(Self.baseSeed) REACTIVE_CHAIN=\(number) swift test --filter RandomChains
            """)
    }
}
