import Foundation
import RandomChains
import TestSupport
import Testing

/// Chains of operators that are drawn at random, against a model that is plain.
@Suite("Random chains", .watched)
struct RandomChainsTests {
    private static let batches = 16
    private static let draws = RandomDraws(count: batches * 1_500, of: .signals)

    @Test("give what the model gives", .notUnderThreadSanitizer, arguments: 0..<batches)
    func chains(batch: Int) { Self.draws.check(batch, of: Self.batches, again: "RandomChains") }
}

/// Chains of operators on producers, likewise.
@Suite("Random chains of producers", .watched)
struct RandomProducersTests {
    private static let batches = 16
    private static let draws = RandomDraws(count: batches * 800, of: .producers)

    @Test("give what the model gives", .notUnderThreadSanitizer, arguments: 0..<batches)
    func chains(batch: Int) { Self.draws.check(batch, of: Self.batches, again: "RandomProducers") }
}

/// The chains that a fuzzer has kept, because each reached code that no other did: see `Scripts/fuzz`.
@Suite("Chains found by fuzzing", .watched)
struct FuzzedChainsTests {
    @Test("give what the model gives", .notUnderThreadSanitizer, arguments: Family.allCases)
    func corpus(family: Family) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = folder.appending(path: "Fuzzer/Corpus/\(family).txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count >= 100)
        for line in lines {
            let bytes = line.split(separator: " ").compactMap { UInt8($0, radix: 16) }
            if case .disagreement(let report) = family.verdict(of: Choices(bytes: bytes)) {
                Issue.record("\(line)\n\(report)")
            }
        }
    }
}
