import ReactiveSignals
import TestSupport
import Testing

/// Chains of operators on producers that are drawn at random, against a model that is plain: see ``RandomChainsTests``.
@Suite("Random chains of producers", .watched)
struct RandomProducersTests {
    private static let batches = 16
    private static let draws = RandomDraws(count: batches * 800, of: "chains of producers")

    @Test("give what the model gives", .notUnderThreadSanitizer, arguments: 0..<batches)
    func chains(batch: Int) {
        Self.draws.check(batch, of: Self.batches, again: "RandomProducers") {
            ProducerCase.random(&$0)
        } model: {
            ProducerModelRun.outcome(of: $0)
        } run: {
            ProducerRun.outcome(of: $0)
        } agrees: { chain, outcome, expected in
            outcome.agrees(with: expected, in: chain)
        }
    }
}
