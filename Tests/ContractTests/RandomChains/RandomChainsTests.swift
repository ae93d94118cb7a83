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
            if case .disagreement(let report) = family.comparison(of: Choices(bytes: bytes)) {
                Issue.record("\(line)\n\(report)")
            }
        }
    }
}

/// Chains in which the library and the model once disagreed, as the bytes that a fuzzer would draw them from.
@Suite("Chains that once disagreed", .watched)
struct FormerChainsTests {
    @Test("an observer of the end of the last round still reaches the round's sources")
    func lastRound() {
        // `flatMap(.latest) { … }.merge(…).zip(with:).repeat(1).materialize()`: the observer sends when `repeat` ends.
        check(
            .producers,
            """
            5 2 0 1 b 3 0 1 b 1 3 2 4 4 1 4 1 6 0 2 b 3 1 1 0 1 4 4 3 0 b 1 4 3 0 1 5 2 4 2 5 1 0 1 25 6 1 0 1 7 0 2 4 2 \
            5 2 2 1 3 1 6 9 2 3 8 2 1 2 0 0 9 3 1 4 2 3 0 0 3
            """)
    }

    @Test("an end does not move a value that is due behind what else the scheduler runs at that time")
    func dueValue() {
        // `throttle(…).merge(with: source).buffer(upTo: 1, …)`: the source is interrupted at the time of its first
        // value.
        check(
            .signals,
            """
            a 30 1 0 29 ff ff 0 0 3b 66 66 30 62 66 66 66 66 66 66 ff ef ef 8e 30 c 29 ff ff 0 0 b5 37 ef 38 b5 37 \
            ef 8e ef ff 3f ff ff ff ff ff ff 48 ff 61 3b 66 66 66 62 77 77 77 77 77 29 77 77 77 77 77 0 0 0 0 65 c2 \
            75 9e a
            """)
    }

    @Test("a producer that ends because of a second one is cleaned up before the next producer begins")
    func secondInput() {
        // `flatMap(.merge) { … }.zip(…, with: interval).flatMap(…) { … }.switchIfEmpty(…)`: the interval ends `zip`.
        check(
            .producers,
            """
            3d a a ee 18 a a 2 0 10 10 10 10 10 2f 10 10 2a 9 10 2b 9 7e 7e 1 0 7f 43 6d ed f0 10 50 1e 10 a 10 10 \
            10 4e 0 35 10 2d 36 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 d4 1 0 0 0 0 0 0 b \
            d4 d4 d4 d4 d4 d4 d4 d4
            """)
    }

    @Test("an inner stream whose error waits for the observer keeps its place")
    func placeOfError() {
        // `source.flatMap(.concurrent(limit: 2)) { … }`: the observer of a value of the first inner stream sends two
        // values to the source. The second inner stream fails, and the third one does not start.
        check(.producers, seed: 728_352_058, chain: 646)
    }

    @Test("a disposal stops what is upstream of an end that is on its way")
    func disposalDuringEnd() {
        // `concat(…).flatMap(.latest) { … }.zip(with: timer).collect(until: timer)`: the observer disposes of the start
        // when it receives what `zip`'s end has made `collect` send, and then sends to the producers of `concat`.
        check(.producers, seed: 3_554_777_238, chain: 8_192)
    }

    @Test("an inner stream keeps working until its end has been received")
    func endOfInnerStream() {
        // `flatMap(.latest) { … }.take(for: …).race(…).last(where:)`: the observer sends to the source when `race`
        // ends.
        check(.producers, seed: 2_648_672_150, chain: 6_190)
    }

    @Test("the source of groups is cleaned up before the groups end")
    func endOfGroups() {
        // `flatten(.latest).dematerialize().groupBy { … }.flatten(.race).collect()`: the observer sends to the source.
        check(.producers, seed: 3_970_749_567, chain: 6_313)
    }

    /// - Parameters:
    ///   - seed: The seed of the run that found it.
    ///   - chain: Its number in that run.
    private func check(_ family: Family, seed: UInt64, chain: UInt64) {
        var seeds = SplitMix64(seed: seed ^ chain << 32)
        check(family, Choices(seed: seeds.next()))
    }

    private func check(_ family: Family, _ line: String) {
        check(family, Choices(bytes: line.split(separator: " ").compactMap { UInt8($0, radix: 16) }))
    }

    private func check(_ family: Family, _ choices: Choices) {
        if case .disagreement(let report) = family.comparison(of: choices) { Issue.record("\(report)") }
    }
}
