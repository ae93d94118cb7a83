/// Finds the code in pages and in documentation comments.
///
/// In a page, blocks of the language `swift` are code and blocks of `marbles` are drawings. An HTML comment before a
/// block, which is not rendered, has further instructions:
///
///     <!-- setup
///     let server = Server()
///     -->                            code before the block
///     <!-- continues -->             the block continues the previous one
///     <!-- declarations -->          the block is compiled at file level, like one with `@main`
///     <!-- does not compile -->      its `// error:` comments are the expected diagnostics
///
/// A block without a language after a line "prints" is the output of the previous block. Manifests, and parts of
/// them, are omitted.
///
/// In a documentation comment, a fence must name its language: `swift`, `marbles` or `text`. Code or a drawing
/// elsewhere would not be checked, so it is reported as a stray.
enum SnippetExtractor {
    static func snippets(inPage text: String, file: String) -> [Snippet] {
        var extraction = Extraction(file: file, use: .statements)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            extraction.read(String(line), number: index + 1)
        }
        return extraction.snippets
    }

    static func snippets(inSource text: String, file: String) -> [Snippet] {
        comments(inSource: text, file: file).flatMap(\.snippets)
    }

    /// Returns where documentation comments have code or drawings that are not found, and why.
    static func strays(inSource text: String, file: String) -> [String] {
        comments(inSource: text, file: file).flatMap(\.strays)
    }

    private static func comments(inSource text: String, file: String) -> [Extraction] {
        var comments: [Extraction] = []
        var subject = Snippet.Subject.signal
        var extraction = Extraction(file: file, use: .statements, subject: subject)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmed
            if line.hasPrefix("///") {
                extraction.read(String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)), number: index + 1)
            } else {
                if let type = line.prefixMatch(of: /extension (\w+)/)?.1 {
                    subject =
                        switch type {
                        case "SignalProducer": .producer
                        case "Property", "PropertyProtocol": .property
                        default: .signal
                        }
                }
                if !extraction.isFresh {
                    extraction.finish(at: index + 1)
                    comments.append(extraction)
                }
                extraction = Extraction(file: file, use: .statements, subject: subject)
            }
        }
        return comments
    }
}

/// The state of reading a page or a comment.
private struct Extraction {
    let file: String
    /// The use of the next block.
    var use: Snippet.Use
    /// The stream type that the drawings of a documentation comment are about, or `nil` in a page.
    var subject: Snippet.Subject?

    private(set) var snippets: [Snippet] = []
    /// In a documentation comment: code and drawings that are not checked, but should be.
    private(set) var strays: [String] = []
    private(set) var isFresh = true
    private var continues = false
    private var setup: [Snippet.Line] = []
    private var block: [Snippet.Line] = []
    private var place = Place.text
    private var wasBlank = true
    /// The indentation of a block's lines, as blocks in lists are indented.
    private var indentation = 0

    private var lastText = ""

    private static let manifestBeginnings = ["dependencies:", "// swift-tools-version:"]

    private enum Place { case text, code, drawing, output, other, comment }

    init(file: String, use: Snippet.Use, subject: Snippet.Subject? = nil) {
        self.file = file
        self.use = use
        self.subject = subject
    }

    mutating func read(_ line: String, number: Int) {
        isFresh = false
        let content = line.trimmed
        switch place {
        case .text: readText(line, content, number)
        case .code, .drawing, .output, .other:
            if content == "```" {
                switch place {
                case .code: finish(use)
                case .drawing: finish(.marbles)
                case .output: finishOutput()
                default: block = []
                }
                (place, lastText) = (.text, "")
            } else {
                if place == .other { noteStray(content, number) }
                block.append(Snippet.Line(number: number, text: String(line.dropFirst(indentation))))
            }
        case .comment:
            if content == "-->" {
                place = .text
            } else {
                setup.append(Snippet.Line(number: number, text: line))
            }
        }
        wasBlank = content.isEmpty
    }

    private mutating func readText(_ line: String, _ content: String, _ number: Int) {
        if content.hasPrefix("```") {
            indentation = line.count - line.drop { $0 == " " }.count
            place =
                switch content {
                case "```swift": .code
                case "```marbles": .drawing
                case "```" where lastText == "prints" && !snippets.isEmpty: .output
                default: .other
                }
            if place == .other, content == "```" { note("a fence that names no language", number) }
        } else if content == "<!-- setup" {
            place = .comment
        } else if content == "<!-- continues -->" {
            continues = true
        } else if content == "<!-- declarations -->" {
            use = .declarations
        } else if content == "<!-- does not compile -->" {
            use = .mistake
        } else if !content.isEmpty {
            if wasBlank, line.hasPrefix("    ") {
                note("an indented block: it needs a fence", number)
            } else {
                noteStray(content, number)
            }
            lastText = content
        }
    }

    /// Ends a documentation comment.
    mutating func finish(at number: Int) {
        if place != .text { note("a block that is not closed", number) }
    }

    private mutating func note(_ reason: String, _ number: Int) {
        if subject != nil { strays.append("\(file):\(number): \(reason)") }
    }

    /// Reports a drawing outside a fence for drawings: text with consecutive dashes that is neither inline code nor a
    /// table row.
    private mutating func noteStray(_ content: String, _ number: Int) {
        guard !content.hasPrefix("|") else { return }
        let parts = content.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        let words = parts.filter { $0.offset.isMultiple(of: 2) }.flatMap { $0.element.split(separator: " ") }
        let isDrawn = words.contains { $0.contains("--") || $0.contains("-") && $0.hasSuffix("|") }
        if isDrawn { note("a drawing outside a block of marbles", number) }
    }

    private mutating func finishOutput() {
        snippets[snippets.count - 1].output = block
        block = []
    }

    private mutating func finish(_ use: Snippet.Use) {
        var use = use
        if use == .statements, block.contains(where: { $0.text == "@main" }) { use = .declarations }
        if let first = block.first?.text, Self.manifestBeginnings.contains(where: first.hasPrefix) {
            // A manifest, or part of one.
        } else if continues, let last = snippets.indices.last {
            snippets[last].lines += setup + block
        } else {
            snippets.append(Snippet(use: use, file: file, lines: block, setup: setup, subject: subject))
        }
        (block, setup, continues, self.use) = ([], [], false, .statements)
    }
}
