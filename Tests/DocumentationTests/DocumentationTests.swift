import Foundation
import TestSupport
import Testing

/// The documentation: pages, the read-me, and documentation comments.
@Suite("The documentation", .watched)
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Everything is compiled once, by one run of the compiler, and run by one program.
    private static let outcome = Task { try await Command.onThread { try Outcome(of: allSnippets()) } }

    struct Outcome {
        let program: SnippetProgram
        let errors: [SnippetProgram.Diagnostic]
        let shown: [Int: [SnippetProgram.Shown]]

        init(of snippets: [Snippet]) throws {
            program = SnippetProgram(snippets: snippets.filter { $0.use != .mistake })
            let folder = FileManager.default.temporaryDirectory.appending(path: "snippets-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (errors, executable) = try program.compiled(in: folder)
            self.errors = errors
            shown = errors.isEmpty ? try program.run(executable) : [:]
        }
    }

    private static func allSnippets() throws -> [Snippet] {
        var paths = ["README.md"]
        let sources = root.appending(path: "Sources")
        for case let path as String in FileManager.default.enumerator(atPath: sources.path()) ?? .init()
        where path.hasSuffix(".md") || path.hasSuffix(".swift") {
            paths.append("Sources/\(path)")
        }
        return try paths.sorted().flatMap { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            let snippets =
                path.hasSuffix(".swift")
                ? SnippetExtractor.snippets(inSource: text, file: path)
                : SnippetExtractor.snippets(inPage: text, file: path)
            let prelude = Preludes.all[path]?.split(separator: "\n") ?? []
            return snippets.map { snippet in
                var snippet = snippet
                if snippet.use == .statements {
                    let lines = prelude.enumerated().map { Snippet.Line(number: $0 + 1, text: String($1)) }
                    snippet.setup = lines + snippet.setup
                }
                return snippet
            }
        }
    }

    @Test("compiles, every block of code of it")
    func compiles() async throws {
        let outcome = try await Self.outcome.value
        #expect(outcome.program.snippets.count > 60)
        for error in outcome.errors { Issue.record("\(error.file):\(error.line): \(error.message)") }
    }

    @Test("prints what its comments say")
    func prints() async throws {
        let outcome = try await Self.outcome.value
        try #require(outcome.errors.isEmpty, "it does not compile")
        var comparisons = 0
        for (number, snippet) in outcome.program.snippets.enumerated() where snippet.use != .marbles {
            let expected = snippet.expectations
            guard !expected.isEmpty else { continue }
            let shown = outcome.shown[number] ?? []
            for (index, expectation) in expected.enumerated() {
                comparisons += 1
                let actual = index < shown.count ? shown[index] : nil
                if !expectation.isMet(by: actual) {
                    let actual = actual.map { "\($0)" } ?? "nothing"
                    Issue.record(
                        "\(snippet.file):\(expectation.line): expected \(expectation), and there was \(actual)")
                }
            }
            for more in shown.dropFirst(expected.count) {
                Issue.record("\(snippet.file):\(snippet.lines.first?.number ?? 0): shows besides \(more)")
            }
        }
        #expect(comparisons > 40)
    }

    @Test("draws streams as they are, on virtual time")
    func draws() async throws {
        let outcome = try await Self.outcome.value
        try #require(outcome.errors.isEmpty, "it does not compile")
        var drawings = 0
        for (number, snippet) in outcome.program.snippets.enumerated() where snippet.use == .marbles {
            for row in try Diagram(snippet).results {
                drawings += 1
                let actual = (outcome.shown[number] ?? []).compactMap { shown -> Drawing.Moment? in
                    guard case .moment(row.line, let moment) = shown, moment.second < row.drawing.end ?? .max else {
                        return nil
                    }
                    return moment
                }
                if actual != row.drawing.moments {
                    Issue.record("\(snippet.file):\(row.line): drawn \(row.drawing.moments), and it was \(actual)")
                }
            }
        }
        #expect(drawings > 0)
    }

    @Test("quotes the compiler where it shows what does not compile")
    func mistakes() async throws {
        let program = SnippetProgram(snippets: try Self.allSnippets().filter { $0.use == .mistake })
        try #require(!program.snippets.isEmpty)
        let folder = FileManager.default.temporaryDirectory.appending(path: "mistakes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var errors = try await Command.onThread { try program.checked(in: folder) }
        for snippet in program.snippets {
            for line in snippet.lines {
                guard let comment = Expectation.comment(of: line.text)?.text, comment.hasPrefix("error: ") else {
                    continue
                }
                let message = comment.dropFirst("error: ".count)
                let place = errors.firstIndex {
                    $0.file.hasSuffix(snippet.file) && $0.line == line.number && $0.message.contains(message)
                }
                if let place {
                    errors.remove(at: place)
                } else {
                    Issue.record("\(snippet.file):\(line.number): the compiler does not say \"\(message)\"")
                }
            }
        }
        for error in errors { Issue.record("\(error.file):\(error.line): the compiler says besides: \(error.message)") }
    }

    @Test("shows a manifest that SwiftPM accepts")
    func manifest() async throws {
        let path = "Sources/ReactiveSignals/ReactiveSignals.docc/GettingStarted.md"
        let page = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        let manifest = try #require(page.firstMatch(of: /(?s)```swift\n(\/\/ swift-tools-version:.*?)```/)?.1)
        let folder = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try String(manifest).write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        let output = try await Command.onThread {
            try Command.run(["swift", "package", "--package-path", folder.path(), "dump-package"])
        }
        #expect(output.text.contains(#""name" : "Monitor""#), "\(output.errors)")
    }

    @Test("has no prelude that belongs to no comment")
    func preludes() throws {
        let files = Set(try Self.allSnippets().map(\.file))
        #expect(Set(Preludes.all.keys).subtracting(files).isEmpty)
    }
}

extension Expectation {
    func isMet(by shown: SnippetProgram.Shown?) -> Bool {
        switch (self, shown) {
        case (.prints(let expected, _), .line(let actual)):
            let parts = expected.split(separator: "…", omittingEmptySubsequences: false)
            guard parts.count > 1 else { return expected == actual }
            return actual.hasPrefix(parts[0]) && actual.hasSuffix(parts[parts.count - 1])
        case (.value(let expected, _), .value(let debug, let plain)):
            return [debug, plain].contains(expected) || debug == "Optional(\(expected))"
        default: return false
        }
    }
}
