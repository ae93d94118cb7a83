import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The lines of a text, without indentation and without empty lines at both ends.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("shows only code that is compiled: each block occurs in a test")
    func verbatim() throws {
        let page = try String(contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
        let tests = Self.package.appending(path: "Tests/ClusterTests")
        let sources = try ["RecipeTests.swift", "ContractTests.swift"].map { name in
            Self.lines(try String(contentsOf: tests.appending(path: name), encoding: .utf8))
        }
        // The lines of a manifest begin with a dot.
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().map { rest in
            Self.lines(rest.components(separatedBy: "```")[0])
        }.filter { $0.first?.hasPrefix(".") == false }
        #expect(blocks.count >= 9)
        for block in blocks {
            #expect(sources.contains { $0.contains(block) }, "not in the tests:\n\(block.joined(separator: "\n"))")
        }
    }
}
