import MemoizedSequences
import ReactiveSignals

extension Chapter {
    static let sequences = Chapter(
        "Sequences", about: "A sequence that computes its elements on demand, and stores them.",
        examples: [
            WorkedExample(
                "memoized", "an element is computed when it is requested",
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
                "memoized-once", "each element is computed once, also for derived sequences",
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
