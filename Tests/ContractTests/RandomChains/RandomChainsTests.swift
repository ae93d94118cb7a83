import ReactiveSignals
import TestSupport
import Testing

/// Chains of operators that are drawn at random, against a model that is plain.
@Suite("Random chains", .watched)
struct RandomChainsTests {
    private static let batches = 16
    private static let draws = RandomDraws(count: batches * 1_500, of: "chains of signals")

    @Test("give what the model gives", .notUnderThreadSanitizer, arguments: 0..<batches)
    func chains(batch: Int) {
        Self.draws.check(batch, of: Self.batches, again: "RandomChains") {
            ChainCase.random(&$0)
        } model: {
            ModelRun.outcome(of: $0)
        } run: {
            ChainRun.outcome(of: $0)
        } agrees: { chain, outcome, expected in
            outcome.agrees(with: expected, hasReactions: !chain.reactions.isEmpty)
        }
    }
}
