/// Deliberately wrong drawings, which the check must detect. Compiled and run with those of the documentation.
enum WrongDrawings {
    static let file = "WrongDrawings.md"

    static let all: [Snippet] = [
        // Checked on producers, too.
        snippet(
            .signal,
            right: [
                "source                   --1--2--|",
                "source.map { $0 * 2 }    --2--4--|",
            ],
            wrong: [
                "source.map { $0 * 2 }    --2--5--|",
                "source.map { $0 * 2 }    --2---4-|",
                "source.map { $0 * 2 }    --2--44-|",
                "source.map { $0 * 2 }    --2-----|",
                "source.map { $0 * 2 }    --2--4---|",
                "source.map { $0 * 2 }    --2--4---",
                "source.map { $0 * 2 }    --2--4--X",
                "source.map { $0 * 2 }    --2--4--|-6",
            ]),
        snippet(
            .property,
            right: [
                "source                   1--2--|",
                "source.map { $0 * 2 }    2--4--|",
            ],
            wrong: [
                "source.map { $0 * 2 }    ---4--|",
                "source.map { $0 * 2 }    2--4--",
            ]),
        snippet(
            .signal,
            right: [
                "source                                  --1--2--------X",
                "source.values(buffering: .newest(1))    --1---------2---------X",
            ],
            wrong: [
                "source.values(buffering: .newest(1))    --1--2--------X",
                "source.values(buffering: .newest(1))    --1---------2---------|",
            ]),
    ].flatMap { snippet in [snippet] + (snippet.onProducers.map { [$0] } ?? []) }

    private static let firstWrong = 100

    /// The line numbers of wrong drawings begin with 100.
    private static func snippet(_ subject: Snippet.Subject, right: [String], wrong: [String]) -> Snippet {
        let lines =
            right.enumerated().map { Snippet.Line(number: $0 + 1, text: $1) }
            + wrong.enumerated().map { Snippet.Line(number: $0 + firstWrong, text: $1) }
        return Snippet(use: .marbles, file: file, lines: lines, setup: [], subject: subject)
    }

    static func wrongLines(of snippet: Snippet) -> [Int] { snippet.lines.map(\.number).filter { $0 >= firstWrong } }
}
