#if Explore
import Foundation
import Testing

@Suite("The nightly explorations")
struct NightlyTests {
    @Test("include every suite of scenarios")
    func suites() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        let workflow = try String(contentsOf: root.appending(path: ".github/workflows/nightly.yml"), encoding: .utf8)
        let words = Set(workflow.split { !$0.isLetter })
        let files = try FileManager.default.contentsOfDirectory(atPath: tests.appending(path: "Scenarios").path())
        let suites = files.filter { $0.hasSuffix("Explorations.swift") }.map { $0.dropLast("Explorations.swift".count) }
        #expect(!suites.isEmpty)
        #expect(suites.filter { !words.contains($0) } == [], "not in nightly.yml")
    }
}
#endif
