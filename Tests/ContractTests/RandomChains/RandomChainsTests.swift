import Foundation
import RandomChains
import TestSupport
import Testing

/// Compares random chains of operators with a simple model.
@Suite("Random chains", .watched)
struct RandomChainsTests {
    private static let batches = 16
    private static let draws = RandomDraws(count: batches * 1_500, of: .signals)

    @Test("match the model", .notUnderThreadSanitizer, arguments: 0..<batches)
    func chains(batch: Int) { Self.draws.check(batch, of: Self.batches, again: "RandomChains") }
}

/// Compares random chains of operators on producers with a simple model.
@Suite("Random chains of producers", .watched)
struct RandomProducersTests {
    private static let batches = 16
    private static let draws = RandomDraws(count: batches * 800, of: .producers)

    @Test("match the model", .notUnderThreadSanitizer, arguments: 0..<batches)
    func chains(batch: Int) { Self.draws.check(batch, of: Self.batches, again: "RandomProducers") }
}

/// The chains that a fuzzer kept because each reached code that no other one did: see `Scripts/fuzz`.
@Suite("Chains found by fuzzing", .watched)
struct FuzzedChainsTests {
    @Test("match the model", .notUnderThreadSanitizer, arguments: Family.allCases)
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
