import Foundation
import Testing

@Suite("The page of recipes")
struct ReadmeTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The lines of a text, without indentation and without empty lines at both ends.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The Swift code of the page, block by block.
    private static func blocks() throws -> [[String]] {
        let page = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        return page.components(separatedBy: "```swift\n").dropFirst().map { rest in
            lines(rest.components(separatedBy: "```")[0])
        }
    }

    /// The lines of every Swift file, by path.
    private static func sources() throws -> [String: [String]] {
        var sources: [String: [String]] = [:]
        for folder in ["Sources", "Tests"] {
            let root = package.appending(path: folder)
            for case let path as String in FileManager.default.enumerator(atPath: root.path()) ?? .init()
            where path.hasSuffix(".swift") {
                sources["\(folder)/\(path)"] = lines(
                    try String(contentsOf: root.appending(path: path), encoding: .utf8))
            }
        }
        return sources
    }

    @Test("shows only code that is compiled: each block occurs in a source file")
    func verbatim() throws {
        let sources = try Self.sources()
        let blocks = try Self.blocks()
        // One per recipe at least.
        #expect(blocks.count >= 6)
        for block in blocks {
            #expect(!block.joined().isEmpty)
            let holder = sources.first { _, lines in lines.contains(block) }
            #expect(holder != nil, "not in the sources:\n\(block.joined(separator: "\n"))")
        }
    }

    @Test("links only to files that exist")
    func links() throws {
        let page = try String(contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
        let targets = page.matches(of: /\]\(([^)#:]+)\)/).map { String($0.output.1) }
        #expect(targets.count >= 6)
        for target in targets {
            let file = Self.package.appending(path: target)
            #expect(FileManager.default.fileExists(atPath: file.path()), "\(target) is missing")
        }
    }
}
