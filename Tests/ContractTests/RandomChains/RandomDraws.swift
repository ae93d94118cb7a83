import Foundation
import RandomChains
import TestSupport
import Testing

/// Random cases of a family, in batches.
///
/// A failure reports how to run its case again. `REACTIVE_SEED` fixes the random cases, `REACTIVE_CHAIN` selects one of
/// them.
struct RandomDraws: Sendable {
    private let family: Family
    private let count: Int
    private let baseSeed: UInt64
    private let only: Int?

    init(count: Int, of family: Family) {
        let environment = ProcessInfo.processInfo.environment
        self.family = family
        self.count = count
        baseSeed = environment["REACTIVE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64(UInt32.max))
        only = environment["REACTIVE_CHAIN"].flatMap(Int.init)
        print("random chains: seed \(baseSeed), \(count) chains of \(family)")
    }

    /// Runs the cases of a batch until one fails, and reports that one, shrunk as far as possible.
    ///
    /// - Parameter filter: The name of the tests, for running them again.
    func check(_ batch: Int, of batches: Int, again filter: String) {
        let size = count / batches
        var ambiguous = 0
        for number in batch * size..<(batch + 1) * size where only == nil || only == number {
            var seeds = SplitMix64(seed: baseSeed ^ UInt64(number) << 32)
            switch family.comparison(of: Choices(seed: seeds.next())) {
            case .agreement: break
            case .ambiguity: ambiguous += 1
            case .disagreement(let report):
                Issue.record(
                    """
                    seed \(baseSeed), chain \(number), made as small as possible:
                    \(report)
                    again:     REACTIVE_SEED=\(baseSeed) REACTIVE_CHAIN=\(number) swift test --filter \(filter)
                    """)
                return
            }
        }
        // About one in a hundred is expected.
        #expect(ambiguous <= size / 20, "seed \(baseSeed): too many chains are not compared")
    }
}
