import Foundation
import TestSupport
import Testing

/// Tests the documentation: pages, the README, and documentation comments.
@Suite("The documentation", .watched)
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Compiles everything once, in one run of the compiler, and runs it as one program.
    private static let outcome = Task { try await Command.onThread { try Outcome(of: allSnippets()) } }

    struct Outcome {
        let program: SnippetProgram
        let errors: [SnippetProgram.Diagnostic]
        let shown: [Int: [SnippetProgram.Shown]]

        init(of snippets: [Snippet]) throws {
            program = SnippetProgram(snippets: snippets.filter { $0.use != .mistake } + WrongDrawings.all)
            let folder = FileManager.default.temporaryDirectory.appending(path: "snippets-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (errors, executable) = try program.compiled(in: folder)
            self.errors = errors
            shown = errors.isEmpty ? try program.run(executable) : [:]
        }

        /// The drawings of a snippet that differ from the actual events.
        func differences(inDrawingsOf number: Int) throws -> [String] {
            let snippet = program.snippets[number]
            return try Diagram(snippet).results.compactMap { row in
                let actual = (shown[number] ?? []).compactMap { shown -> Drawing.Moment? in
                    guard case .moment(row.line, let moment) = shown, moment.second < row.drawing.end ?? .max else {
                        return nil
                    }
                    return moment
                }
                guard actual != row.drawing.moments else { return nil }
                let streams = snippet.subject.map { " on a \($0)" } ?? ""
                return "\(snippet.file):\(row.line): drawn \(row.drawing.moments), and it was \(actual)\(streams)"
            }
        }
    }

    /// The README and all files in `Sources` that are or contain documentation.
    private static func sources() throws -> [(path: String, text: String)] {
        var paths = ["README.md"]
        let sources = root.appending(path: "Sources")
        for case let path as String in FileManager.default.enumerator(atPath: sources.path()) ?? .init()
        where path.hasSuffix(".md") || path.hasSuffix(".swift") {
            paths.append("Sources/\(path)")
        }
        return try paths.sorted().map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) }
    }

    private static func allSnippets() throws -> [Snippet] {
        try sources().flatMap { path, text in
            let snippets =
                path.hasSuffix(".swift")
                ? SnippetExtractor.snippets(inSource: text, file: path)
                : SnippetExtractor.snippets(inPage: text, file: path)
            return snippets.flatMap { snippet in
                let prelude: String? =
                    switch snippet.use {
                    case .statements: Preludes.all[path]
                    case .marbles: Preludes.drawings[path]
                    case .declarations, .mistake: nil
                    }
                var snippet = snippet
                let lines = (prelude?.split(separator: "\n") ?? []).enumerated()
                snippet.setup = lines.map { Snippet.Line(number: $0 + 1, text: String($1)) } + snippet.setup
                return [snippet] + (snippet.onProducers.map { [$0] } ?? [])
            }
        }
    }

    @Test("compiles, in every block of code")
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

    @Test("draws streams as they behave in virtual time")
    func draws() async throws {
        let outcome = try await Self.outcome.value
        try #require(outcome.errors.isEmpty, "it does not compile")
        var blocks: [String: Int] = [:]
        for (number, snippet) in outcome.program.snippets.enumerated()
        where snippet.use == .marbles && snippet.file != WrongDrawings.file {
            blocks[snippet.subject.map { "comments on a \($0)" } ?? "pages", default: 0] += 1
            for difference in try outcome.differences(inDrawingsOf: number) {
                Issue.record(Comment(rawValue: difference))
            }
        }
        // Ensures that no kind of drawing has been missed.
        #expect(blocks["pages", default: 0] > 30 && blocks["comments on a signal", default: 0] > 50, "\(blocks)")
        #expect(blocks["comments on a producer", default: 0] > 60, "\(blocks)")
        #expect(blocks["comments on a property", default: 0] > 5, "\(blocks)")
    }

    @Test("wrong drawings are detected")
    func wrongDrawings() async throws {
        let outcome = try await Self.outcome.value
        try #require(outcome.errors.isEmpty, "it does not compile")
        for (number, snippet) in outcome.program.snippets.enumerated() where snippet.file == WrongDrawings.file {
            let lines = try outcome.differences(inDrawingsOf: number).compactMap { difference in
                difference.split(separator: ":").dropFirst().first.flatMap { Int($0) }
            }
            expect(lines, is: WrongDrawings.wrongLines(of: snippet), snippet.subject.map { "on a \($0)" })
        }
    }

    @Test("has no code or drawing in a comment that is not checked")
    func strays() throws {
        for (path, text) in try Self.sources() {
            for stray in SnippetExtractor.strays(inSource: text, file: path) {
                Issue.record(Comment(rawValue: stray))
            }
        }
    }

    @Test("quotes the compiler's messages for code that does not compile")
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

    @Test("has no unused prelude")
    func preludes() throws {
        let files = Set(try Self.allSnippets().map(\.file))
        expect(Set(Preludes.all.keys).union(Preludes.drawings.keys).subtracting(files), is: [])
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
