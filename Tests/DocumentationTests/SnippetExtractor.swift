/// Finds the code in pages and in documentation comments.
///
/// In a page, blocks of the language `swift` are code and blocks of `marbles` are drawings. A comment of HTML before a block, which no reader
/// sees, says more:
///
///     <!-- setup
///     let server = Server()
///     -->                            code before the block
///     <!-- continues -->             the block follows on the one before
///     <!-- declarations -->          the block stands at the level of a file, as one with `@main` does
///     <!-- does not compile -->      its `// error:` comments are what the compiler says
///
/// A block without a language after a line "prints" is the output of the one before it. Manifests, and parts of them,
/// are left out.
///
/// In a documentation comment an indented block is code too, unless it is a drawing.
enum SnippetExtractor {
    static func snippets(inPage text: String, file: String) -> [Snippet] {
        var extraction = Extraction(file: file, use: .statements)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            extraction.read(String(line), number: index + 1)
        }
        return extraction.snippets
    }

    static func snippets(inSource text: String, file: String) -> [Snippet] {
        var snippets: [Snippet] = []
        var extraction = Extraction(file: file, use: .statements, takesIndented: true)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmed
            if line.hasPrefix("///") {
                extraction.read(String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)), number: index + 1)
            } else if !extraction.isFresh {
                extraction.read("", number: index + 1)
                extraction.read(".", number: index + 1)
                snippets += extraction.snippets
                extraction = Extraction(file: file, use: .statements, takesIndented: true)
            }
        }
        return snippets + extraction.snippets
    }
}

/// What has been read of a page or a comment.
private struct Extraction {
    let file: String
    /// What the next block is used for.
    var use: Snippet.Use
    var takesIndented = false

    private(set) var snippets: [Snippet] = []
    private(set) var isFresh = true
    private var continues = false
    private var setup: [Snippet.Line] = []
    private var block: [Snippet.Line] = []
    private var place = Place.text
    private var wasBlank = true
    /// What stands before a block's lines: blocks in lists are indented.
    private var indentation = 0

    private var lastText = ""

    private static let manifestBeginnings = ["dependencies:", "// swift-tools-version:"]

    private enum Place { case text, code, drawing, output, other, comment, indented }

    init(file: String, use: Snippet.Use, takesIndented: Bool = false) {
        self.file = file
        self.use = use
        self.takesIndented = takesIndented
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
                block.append(Snippet.Line(number: number, text: String(line.dropFirst(indentation))))
            }
        case .comment:
            if content == "-->" {
                place = .text
            } else {
                setup.append(Snippet.Line(number: number, text: line))
            }
        case .indented:
            if line.hasPrefix("    ") || content.isEmpty {
                block.append(Snippet.Line(number: number, text: String(line.dropFirst(4))))
            } else {
                finishIndented()
                place = .text
                readText(line, content, number)
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
        } else if content == "<!-- setup" {
            place = .comment
        } else if content == "<!-- continues -->" {
            continues = true
        } else if content == "<!-- declarations -->" {
            use = .declarations
        } else if content == "<!-- does not compile -->" {
            use = .mistake
        } else if takesIndented, wasBlank, line.hasPrefix("    ") {
            place = .indented
            block = [Snippet.Line(number: number, text: String(line.dropFirst(4)))]
        } else if !content.isEmpty {
            lastText = content
        }
    }

    private mutating func finishIndented() {
        // Drawings of streams have rows of dashes, or rows that end. In code they are quoted.
        let paragraphs = block.split { $0.text.trimmed.isEmpty }.filter { paragraph in
            !paragraph.contains { " \($0.text)".contains(" --") || $0.text.hasSuffix("|") }
        }
        block = paragraphs.flatMap(\.self)
        if !block.isEmpty { finish(use) }
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
            snippets.append(Snippet(use: use, file: file, lines: block, setup: setup))
        }
        (block, setup, continues, self.use) = ([], [], false, .statements)
    }
}
