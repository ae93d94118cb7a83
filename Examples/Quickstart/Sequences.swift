import ReactiveSignals

extension Chapter {
    static let sequences = Chapter(
        "Sequences", about: "A sequence that computes its elements late, and remembers them.",
        examples: [
            WorkedExample(
                "memoized", "an element is computed when it is asked for",
                prints: "made", "computing A", "A_", "computing B", "B_"
            ) { print in
                let underscored = ["A", "B", "C"].memoized.map { letter in
                    print("computing \(letter)")
                    return letter + "_"
                }
                print("made")
                print(underscored.head ?? "nothing")
                print(underscored.tail.head ?? "nothing")
            },

            WorkedExample(
                "memoized-once", "and once only, also for what is derived from it",
                prints: "A", "B", "derived: _B_"
            ) { print in
                let logging = ["A", "B", "C"].memoized.map { letter in
                    print(letter)
                    return letter + "_"
                }
                _ = logging.head
                _ = logging.tail.head
                _ = logging.tail.head
                let derived = logging.map { "_" + $0 }
                print("derived: \(derived.tail.head ?? "nothing")")
            },
        ])
}
