import ReactiveSignals

extension WorkedExample {
    /// Sequences that are computed when they are asked for.
    static let laziness = [
        WorkedExample(
            "EX-16", "memoized: an element is computed when it is asked for",
            prints: "made", "computing A", "A_", "computing B", "B_"
        ) { out in
            let underscored = ["A", "B", "C"].memoized.map { letter in
                out.line("computing \(letter)")
                return letter + "_"
            }
            out.line("made")
            out.line(underscored.head ?? "nothing")
            out.line(underscored.tail.head ?? "nothing")
        },

        WorkedExample(
            "EX-17", "memoized: an element is computed once, also for what is derived",
            prints: "A", "B", "derived: _B_"
        ) { out in
            let logging = ["A", "B", "C"].memoized.map { letter in
                out.line(letter)
                return letter + "_"
            }
            _ = logging.head
            _ = logging.tail.head
            _ = logging.tail.head
            let derived = logging.map { "_" + $0 }
            out.line("derived: \(derived.tail.head ?? "nothing")")
        },
    ]
}
