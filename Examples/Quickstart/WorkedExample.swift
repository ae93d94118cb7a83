import ReactiveSignals

/// An example of the documents: a piece of code, and the lines that they say it prints.
package struct WorkedExample: Sendable {
    /// Its number in the list of worked examples, as in `EX-14`.
    package let id: String
    package let title: String
    package let expected: [String]
    private let code: @Sendable (Transcript) -> Void

    package init(
        _ id: String, _ title: String, prints expected: String..., code: @escaping @Sendable (Transcript) -> Void
    ) {
        self.id = id
        self.title = title
        self.expected = expected
        self.code = code
    }

    /// Runs it, and sets what it printed beside what it should have.
    package func run() -> Outcome {
        let transcript = Transcript()
        code(transcript)
        return Outcome(example: self, printed: transcript.lines)
    }
}

/// Takes the place of `print` in an example. Threads may share it, as they share the standard output.
package final class Transcript: Sendable {
    private let written = Locked<[String]>([])

    /// Prints a line.
    package func line(_ value: some Any) { written.withLock { $0.append("\(value)") } }

    /// Prints a word at the end of the line.
    package func word(_ value: some Any) {
        written.withLock { lines in
            if lines.isEmpty { lines.append("\(value)") } else { lines[lines.count - 1] += " \(value)" }
        }
    }

    package var lines: [String] { written.withLock { $0 } }
}

/// What an example printed.
package struct Outcome: Sendable {
    package let example: WorkedExample
    package let printed: [String]

    package var isAsExpected: Bool { printed == example.expected }

    /// The two side by side, a mark on each line.
    package var report: String {
        let count = max(printed.count, example.expected.count)
        let width = max("printed".count, printed.map(\.count).max() ?? 0)
        var lines = ["\(example.id)  \(example.title)", "      \("printed".padded(to: width))   documented"]
        for index in 0..<count {
            let left = index < printed.count ? printed[index] : "(nothing)"
            let right = index < example.expected.count ? example.expected[index] : "(nothing)"
            lines.append("    \(left == right ? "✓" : "✗") \(left.padded(to: width))   \(right)")
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
