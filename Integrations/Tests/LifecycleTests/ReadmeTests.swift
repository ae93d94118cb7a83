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

    private static func page() throws -> String {
        try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
    }

    @Test("shows only code that is compiled: each block occurs in a test")
    func verbatim() throws {
        let root = Self.package.appending(path: "Tests")
        var sources: [[String]] = []
        for case let path as String in FileManager.default.enumerator(atPath: root.path()) ?? .init()
        where path.hasSuffix("RecipeTests.swift") {
            sources.append(Self.lines(try String(contentsOf: root.appending(path: path), encoding: .utf8)))
        }
        // Manifests begin with a dot or with `.product`, and are no Swift files of this package.
        let blocks = try Self.page().components(separatedBy: "```swift\n").dropFirst().map { rest in
            Self.lines(rest.components(separatedBy: "```")[0])
        }.filter { $0.first?.hasPrefix(".") == false }
        #expect(blocks.count >= 4)
        for block in blocks {
            #expect(
                sources.contains { $0.contains(block) }, "not in the tests:\n\(block.joined(separator: "\n"))")
        }
    }

    @Test("links only to files that exist")
    func links() throws {
        for match in try Self.page().matches(of: /\]\(([^)#:]+)\)/) {
            let file = Self.package.appending(path: String(match.output.1))
            #expect(FileManager.default.fileExists(atPath: file.path()), "\(match.output.1) is missing")
        }
    }
}
