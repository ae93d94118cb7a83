import ExamplesKit

/// What is printed in the end.
struct Report: Sendable {
    let directory: String
    let table: LanguageTable
    let tally: Tally
    /// All files that the walk had found, of which the tally may lack some if it was interrupted.
    let found: Int
    let isInterrupted: Bool
    let time: Duration

    /// The languages with the most code first.
    private var rows: [(name: String, sum: Tally.Sum)] {
        tally.languages.map { (table.languages[$0].name, $1) }
            .sorted { ($1.sum.lines.code, $0.name) < ($0.sum.lines.code, $1.name) }
    }

    // MARK: Text

    static let mostSkippedShown = 20

    var text: String {
        let ruler = String(repeating: "-", count: 72)
        var lines = [Self.row("Language", ["files", "blank", "comment", "code"]), ruler]
        lines += rows.map { Self.row($0.name, $0.sum) }
        lines += [ruler, Self.row("Sum", tally.all), "", summary]
        let skipped = tally.skippedInOrder
        if !skipped.isEmpty {
            lines += ["", "Skipped \(skipped.count):"]
            lines += skipped.prefix(Self.mostSkippedShown).map { "  \($0.path.printable): \($0.reason)" }
            let rest = skipped.count - Self.mostSkippedShown
            if rest > 0 { lines.append("  and \(rest) more (--json lists them)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var summary: String {
        var parts = ["\(Format.count(tally.all.files, "file")) of \(Format.bytes(Double(tally.bytes)))"]
        if tally.unknown > 0 {
            parts.append(tally.unknown == 1 ? "1 in an unknown language" : "\(tally.unknown) in unknown languages")
        }
        if tally.ignored > 0 { parts.append("\(tally.ignored) ignored") }
        if tally.duplicates > 0 { parts.append(Format.count(tally.duplicates, "duplicate")) }
        return parts.joined(separator: ", ") + ", \(Format.fixed(seconds, decimals: 2)) s"
    }

    private static func row(_ name: String, _ sum: Tally.Sum) -> String {
        row(name, [sum.files, sum.lines.blank, sum.lines.comment, sum.lines.code].map(String.init))
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        name + String(repeating: " ", count: max(0, 24 - name.count))
            + cells.map { $0.padded(toWidth: 12) }.joined()
    }

    /// What is said, beside the report, of what could not be read; nil if all could.
    var failure: String? {
        switch tally.unreadable {
        case 0: nil
        case 1: "one file or directory could not be read"
        case let count: "\(count) files or directories could not be read"
        }
    }

    /// What is said of an interruption, beside the report.
    var interruption: String { "interrupted after \(tally.handled) of the \(Format.count(found, "file")) found so far" }

    // MARK: JSON

    var json: JSON {
        let languages = rows.map { row in
            JSON.object(
                [("name", .string(row.name)), ("files", Self.number(row.sum.files))] + Self.members(row.sum.lines))
        }
        let skipped = tally.skippedInOrder.map { file in
            JSON.object([("path", .string(file.path)), ("reason", .string(file.reason.description))])
        }
        return .object(
            [
                ("directory", .string(directory)), ("interrupted", .boolean(isInterrupted)),
                ("seconds", .number(seconds, decimals: 3)), ("files", Self.number(tally.all.files)),
                ("bytes", Self.number(tally.bytes)),
            ] + Self.members(tally.all.lines) + [
                ("unknown", Self.number(tally.unknown)), ("duplicates", Self.number(tally.duplicates)),
                ("ignored", Self.number(tally.ignored)),
                ("languages", .array(languages)), ("skipped", .array(skipped)),
            ])
    }

    private static func members(_ lines: Lines) -> [(name: String, value: JSON)] {
        [("blank", number(lines.blank)), ("comment", number(lines.comment)), ("code", number(lines.code))]
    }

    private static func number(_ number: Int) -> JSON { .integer(UInt64(number)) }

    private var seconds: Double { time / .seconds(1) }
}
