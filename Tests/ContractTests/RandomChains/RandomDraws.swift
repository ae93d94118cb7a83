import Foundation
import TestSupport
import Testing

/// Cases that are drawn at random, in batches, each of which the library and a model run.
///
/// A failure says how to run its case again. `REACTIVE_SEED` fixes what is drawn, `REACTIVE_CHAIN` picks one chain of it.
struct RandomDraws: Sendable {
    private let count: Int
    private let baseSeed: UInt64
    private let only: Int?

    init(count: Int, of what: String) {
        let environment = ProcessInfo.processInfo.environment
        self.count = count
        baseSeed = environment["REACTIVE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64(UInt32.max))
        only = environment["REACTIVE_CHAIN"].flatMap(Int.init)
        print("random chains: seed \(baseSeed), \(count) \(what)")
    }

    /// Runs the cases of a batch until one fails, and reports the smallest that fails in its place.
    ///
    /// - Parameters:
    ///   - filter: The name of the tests, for running them again.
    ///   - draw: Draws a case.
    ///   - model: What must come of a case; nil if that is not fixed.
    ///   - run: What comes of it.
    ///   - agrees: Whether that is what must come of it.
    func check<Case: RandomCase & CustomStringConvertible, Outcome: CustomStringConvertible>(
        _ batch: Int, of batches: Int, again filter: String,
        draw: (inout SplitMix64) -> Case, model: (Case) -> Outcome?, run: (Case) -> Outcome,
        agrees: (Case, _ outcome: Outcome, _ expected: Outcome) -> Bool
    ) {
        let size = count / batches
        var ambiguous = 0
        for number in batch * size..<(batch + 1) * size where only == nil || only == number {
            var seeds = SplitMix64(seed: baseSeed ^ UInt64(number) << 32)
            var random = SplitMix64(seed: seeds.next())
            let drawn = draw(&random)
            guard let expected = model(drawn) else {
                ambiguous += 1
                continue
            }
            if agrees(drawn, run(drawn), expected) { continue }
            let smallest = drawn.shrunk { smaller in
                model(smaller).map { !agrees(smaller, run(smaller), $0) } ?? false
            }
            Issue.record(
                """
                seed \(baseSeed), chain \(number), made as small as possible:
                \(smallest)
                expected:  \(model(smallest)?.description ?? "anything")
                got:       \(run(smallest))
                again:     REACTIVE_SEED=\(baseSeed) REACTIVE_CHAIN=\(number) swift test --filter \(filter)
                """)
            return
        }
        // One in a hundred is usual.
        #expect(ambiguous <= size / 20, "seed \(baseSeed): too many chains are not compared")
    }
}
