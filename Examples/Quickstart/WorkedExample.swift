import ReactiveSignals

/// A piece of code, and the lines that it prints.
package struct WorkedExample: Sendable {
    /// What `Quickstart NAME` runs it by.
    package let name: String
    package let title: String
    package let expected: [String]
    private let code: @Sendable (Printer) -> Void

    package init(
        _ name: String, _ title: String, prints expected: String..., code: @escaping @Sendable (Printer) -> Void
    ) {
        self.name = name
        self.title = title
        self.expected = expected
        self.code = code
    }

    /// The text of the code: see ``Listings``.
    package var listing: String? { Listings.code[name] }

    /// Runs the code, and compares what it prints with what it should print.
    package func run() -> Outcome {
        let printer = Printer()
        code(printer)
        return Outcome(example: self, printed: printer.lines)
    }
}

/// Examples on one subject, the simplest first.
package struct Chapter: Sendable {
    package let name: String
    /// What there is to know before the first example.
    package let about: String
    package let examples: [WorkedExample]

    init(_ name: String, about: String, examples: [WorkedExample]) {
        self.name = name
        self.about = about
        self.examples = examples
    }

    /// All of them, in the order in which they are best read.
    package static let all = [signals, producers, combining, flattening, properties, actions, sequences]
}

/// Takes the place of `print` in an example, so that its output can be compared.
///
/// Threads may share it, as they share the standard output.
package final class Printer: Sendable {
    private let written = Locked("")

    /// Prints like the function of the standard library.
    package func callAsFunction(_ value: some Any, terminator: String = "\n") {
        written.withLock { $0 += "\(value)\(terminator)" }
    }

    /// The lines without the spaces at their ends.
    package var lines: [String] {
        var lines = written.withLock { $0 }.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return String(line)
        }
        // What follows the last end of a line is no line.
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

/// What an example has printed.
package struct Outcome: Sendable {
    package let example: WorkedExample
    package let printed: [String]

    package var isAsExpected: Bool { printed == example.expected }

    /// The code, and what it has printed. Where that is not what it should print, both stand side by side.
    package var report: String {
        let lines = example.listing?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        let code = lines.map { line in line.isEmpty ? "" : "    \(line)" }
        return (["\(example.name): \(example.title)", ""] + code + ["", "  prints"] + output).joined(separator: "\n")
    }

    private var output: [String] {
        if isAsExpected { return printed.map { "    \($0)" } }
        let width = printed.map(\.count).max() ?? 0
        return (0..<max(printed.count, example.expected.count)).map { index in
            let left = index < printed.count ? printed[index] : "(nothing)"
            let right = index < example.expected.count ? example.expected[index] : "(nothing)"
            if left == right { return "    \(left)" }
            return "  ✗ \(left.padded(to: width))   expected: \(right)"
        }
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
