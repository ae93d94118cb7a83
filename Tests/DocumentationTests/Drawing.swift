/// A drawing of a stream, with one column per second.
///
///     --1--(2,x)--[1,2]|
///
/// A dash is one second. A digit, a letter, and bracketed text is a value: `(2,x)`, `[1,2]`, or, for any other text,
/// `<NEXT 1>`. `|` completes, `X` fails, `!` interrupts. Events without a dash between them are simultaneous, at the
/// time of the first character. `...` at the end means that the stream continues.
struct Drawing: Equatable {
    struct Moment: Equatable, CustomStringConvertible {
        let second: Int
        let text: String

        var description: String { "\(second): \(text)" }
    }

    private(set) var moments: [Moment] = []
    /// The drawing makes no statement about events at this second or later.
    private(set) var end: Int?
    let width: Int

    struct Malformed: Error, Equatable {
        let column: Int
        let reason: String
    }

    init(_ text: String) throws(Malformed) {
        let characters = Array(text)
        width = characters.count
        var index = 0
        var start: Int?
        while index < characters.count {
            switch characters[index] {
            case "-":
                start = nil
            case ".":
                guard String(characters[index...]) == "..." else { throw Malformed(column: index, reason: "a dot") }
                end = index
                return
            case " ":
                guard moments.isEmpty, start == nil else { throw Malformed(column: index, reason: "a space") }
            case let first:
                var value = String(first)
                let moment = start ?? index
                start = moment
                if let closing = ["(": ")", "[": "]", "<": ">"][value] {
                    while !value.hasSuffix(closing) {
                        index += 1
                        guard index < characters.count else { throw Malformed(column: moment, reason: "no \(closing)") }
                        value.append(characters[index])
                    }
                }
                if first == "<" { value = String(value.dropFirst().dropLast()) }
                moments.append(Moment(second: moment, text: value))
            }
            index += 1
        }
    }

    private static let ends: Set<String> = ["|", "X", "!"]

    var values: [String] { moments.map(\.text).filter { !Self.ends.contains($0) } }

    var fails: Bool { moments.contains { $0.text == "X" } }

    /// The type of a drawn stream's values, and one value as an expression.
    var element: (type: String, literal: (String) -> String) {
        let values = values
        if values.allSatisfy({ ["t", "f"].contains($0) }), !values.isEmpty {
            return ("Bool", { $0 == "t" ? "true" : "false" })
        }
        if values.allSatisfy({ $0.hasPrefix("[") }), !values.isEmpty { return ("[Int]", { $0 }) }
        if values.allSatisfy({ $0.first?.isNumber == true }) { return ("Int", { $0 }) }
        if values.allSatisfy({ $0.first?.isNumber == true || $0 == "nil" }) { return ("Int?", { $0 }) }
        return ("String", { "\"\($0)\"" })
    }
}

/// The rows of a block of drawings.
struct Diagram {
    struct Row {
        let label: String
        let drawing: Drawing
        let line: Int
    }

    var rows: [Row] = []

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    /// Fails unless there is an expression, and every other row is an input of one. Rows that are not inputs are
    /// compared with the actual events, so every row is checked.
    ///
    /// A label that is too long for one line continues in the next one, which is indented.
    init(_ snippet: Snippet) throws(Malformed) {
        subject = snippet.subject
        let lines = snippet.lines.filter { !$0.text.trimmed.isEmpty }
        // All drawings of a block begin in the column of the leftmost one.
        let start = lines.compactMap { Self.start(in: $0.text) }.min() ?? 0
        var beginning = ""
        for (index, line) in lines.enumerated() {
            if Self.start(in: line.text) == nil, lines.dropFirst(index + 1).first?.text.hasPrefix(" ") == true {
                beginning = Self.join(beginning, line.text.trimmed)
                continue
            }
            guard Self.start(in: line.text) != nil, line.text.prefix(start).hasSuffix("  ") else {
                throw Malformed(
                    description: "\(snippet.file):\(line.number): its drawing does not begin where the others do")
            }
            do throws(Drawing.Malformed) {
                let drawing = try Drawing(String(line.text.dropFirst(start)))
                let label = Self.join(beginning, line.text.prefix(start).trimmed)
                rows.append(Row(label: label, drawing: drawing, line: line.number))
                beginning = ""
            } catch {
                throw Malformed(
                    description: "\(snippet.file):\(line.number): \(error.reason) in column \(error.column)")
            }
        }
        let place = "\(snippet.file):\(lines.first?.number ?? 0)"
        guard !results.isEmpty else { throw Malformed(description: "\(place): no row is an expression") }
        let code = results.map(\.label) + snippet.setup.map(\.text)
        let names = Set(code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
        for input in inputs where !names.contains(input.name[...]) {
            throw Malformed(
                description: "\(snippet.file):\(input.line): \"\(input.name)\" is no expression, nor used by one")
        }
    }

    /// Joins the lines of a label.
    private static func join(_ beginning: String, _ rest: String) -> String {
        beginning.isEmpty || rest.hasPrefix(".") ? beginning + rest : "\(beginning) \(rest)"
    }

    /// The column after the first run of at least two spaces behind the label.
    private static func start(in line: String) -> Int? {
        guard let label = line.firstIndex(where: { $0 != " " }), let gap = line[label...].firstRange(of: "  ") else {
            return nil
        }
        return line.distance(
            from: line.startIndex, to: line[gap.lowerBound...].firstIndex { $0 != " " } ?? line.endIndex)
    }

    /// An input stream.
    struct Input {
        let subject: Snippet.Subject
        let name: String
        let drawing: Drawing
        let line: Int
    }

    private let subject: Snippet.Subject?

    /// The input streams, whose labels are names. `signal`, `cold` or `property` before a name selects the stream
    /// type.
    var inputs: [Input] {
        rows.filter { Self.isInput($0.label) }.map { row in
            let words = row.label.split(separator: " ")
            let kinds: [Substring: Snippet.Subject] = ["signal": .signal, "cold": .producer, "property": .property]
            let stated = words.count > 1 ? kinds[words[0]] : nil
            return Input(
                subject: stated ?? subject ?? .signal,
                name: (stated == nil ? words[...] : words.dropFirst()).joined(separator: " "),
                drawing: row.drawing, line: row.line)
        }
    }
    /// The results, whose labels are expressions.
    var results: [Row] { rows.filter { !Self.isInput($0.label) } }

    private static func isInput(_ label: String) -> Bool {
        label.allSatisfy { $0.isLetter || $0 == " " }
    }

    var fails: Bool { rows.contains { $0.drawing.fails } }
    var width: Int { rows.map(\.drawing.width).max() ?? 0 }
}
