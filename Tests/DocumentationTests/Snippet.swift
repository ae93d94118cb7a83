/// A block of code of the documentation.
struct Snippet: Equatable, Sendable {
    /// How a snippet is checked.
    enum Use: Equatable, Sendable {
        /// Becomes the body of a function, which is run if its comments state what it prints.
        case statements
        /// Is compiled at file level, as it has declarations that a function cannot contain.
        case declarations
        /// Shows code that the compiler rejects. Each `// error:` is part of a message on its line.
        case mistake
        /// Drawings of streams, each next to the expression that creates it.
        case marbles
    }

    var use: Use
    /// Relative to the package.
    let file: String
    /// The lines as printed, and their numbers in the file.
    var lines: [Line]
    /// Hidden code before the snippet.
    var setup: [Line]
    /// The printed output, if a separate block states it instead of comments.
    var output: [Line] = []
    /// In a documentation comment: the stream type that the drawings are about. An input has this type unless its
    /// label names another.
    var subject: Subject?

    enum Subject: String, Sendable {
        case signal, producer, property
    }

    struct Line: Equatable {
        let number: Int
        let text: String
    }

    /// The expected output of a run, in order.
    var expectations: [Expectation] {
        if use == .marbles { return [] }
        return lines.flatMap(Expectation.stated(in:)) + output.map { .prints($0.text, line: $0.number) }
    }

    /// The name of the `@main` type, if the code is a program.
    var program: String? {
        guard let mark = lines.firstIndex(where: { $0.text == "@main" }), mark + 1 < lines.count else { return nil }
        return lines[mark + 1].text.split(separator: " ").dropFirst().first.map(String.init)
    }

    /// Whether the snippet may suspend.
    var isAsynchronous: Bool {
        (setup + lines).contains { $0.text.contains("await ") }
            || use == .marbles && lines.contains { $0.text.contains("(buffering: ") }
    }

    /// The same drawings with producers in place of signals, as their operators behave alike.
    var onProducers: Snippet? {
        guard use == .marbles, subject == .signal else { return nil }
        var twin = self
        twin.subject = .producer
        return twin
    }
}

/// The expected effect of a line of code, as stated by a comment.
enum Expectation: Equatable {
    /// The code prints a line. An ellipsis matches anything.
    case prints(String, line: Int)
    /// An expression has a value.
    case value(String, line: Int)

    var line: Int {
        switch self {
        case .prints(_, let line), .value(_, let line): line
        }
    }

    /// Understands `// prints A`, `// prints A, then B`, `// [1, 2]` and `// prints A; "A_"`.
    ///
    /// A remark may follow, after a semicolon or `, and `.
    static func stated(in line: Snippet.Line) -> [Expectation] {
        guard let comment = comment(of: line.text) else { return [] }
        var expectations: [Expectation] = []
        for part in comment.text.split(separator: "; ").map({ String($0.prefix(before: ", and ")) }) {
            if part.hasPrefix("prints ") {
                let texts = part.dropFirst("prints ".count).split(separator: ", then ")
                for text in texts where text != "nothing" {
                    expectations.append(.prints(String(text), line: line.number))
                }
            } else if isExpression(comment.code), isValue(part) {
                expectations.append(.value(part, line: line.number))
            }
        }
        return expectations
    }

    /// Returns the code before the comment of a line and the comment's text, if the line has a comment.
    static func comment(of text: String) -> (code: String, text: String)? {
        guard let start = text.ranges(of: "// ").last?.lowerBound else { return nil }
        var code = text[..<start]
        while code.last == " " { code.removeLast() }
        return (String(code), String(text[start...].dropFirst(3)).trimmed)
    }

    /// Whether a line is a complete expression whose value can be inspected.
    private static func isExpression(_ code: String) -> Bool {
        guard let first = code.first, code == code.trimmed, !"}@.".contains(first), !code.hasSuffix("{") else {
            return false
        }
        let keywords = ["let", "var", "for", "if", "func", "return", "while", "guard", "struct", "import", "try"]
        guard !keywords.contains(String(code.prefix { $0.isLetter })) else { return false }
        return !code.contains(" = ") && !code.contains(" <~")
    }

    private static func isValue(_ text: String) -> Bool {
        guard let first = text.first else { return false }
        return "[(\"".contains(first) || first.isNumber || ["true", "false", "nil"].contains(text)
    }
}

extension StringProtocol {
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// The part before the first occurrence of a text, or everything.
    func prefix(before separator: String) -> SubSequence {
        firstRange(of: separator).map { self[..<$0.lowerBound] } ?? self[...]
    }
}
