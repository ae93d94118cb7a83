import ReactiveSignals
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// Shows the worked examples, each beside the output that the documents state. Exits with 1 on any difference.
@main
enum Quickstart {
    static let examples: [(id: String, expected: String, run: @Sendable (Transcript) -> Void)] = [
        (
            "EX-4 map", "AA BB CC",
            { lines in
                let (letters, input) = Signal<String, Never>.pipe()
                letters.map { $0 + $0 }.observeNext { lines.add($0) }
                for letter in ["A", "B", "C"] { input.sendNext(letter) }
            }
        ),
        (
            "EX-5 filter", "2 4 6 8",
            { lines in
                let (numbers, input) = Signal<Int, Never>.pipe()
                numbers.filter { $0 % 2 == 0 }.observeNext { lines.add("\($0)") }
                for number in 1...9 { input.sendNext(number) }
            }
        ),
        (
            "EX-13 merge", "A 1 B C 2",
            { lines in
                let (letters, lettersInput) = Signal<String, Never>.pipe()
                let (numbers, numbersInput) = Signal<String, Never>.pipe()
                Signal.merge(letters, numbers).observeNext { lines.add($0) }
                lettersInput.sendNext("A")
                numbersInput.sendNext("1")
                lettersInput.sendNext("B")
                lettersInput.sendNext("C")
                numbersInput.sendNext("2")
            }
        ),
        (
            "EX-14 combineLatest", "B1 B2 C2 C3",
            { lines in
                let (letters, lettersInput) = Signal<String, Never>.pipe()
                let (numbers, numbersInput) = Signal<String, Never>.pipe()
                Signal.combineLatest(letters, numbers).map { $0 + $1 }.observeNext { lines.add($0) }
                lettersInput.sendNext("A")
                lettersInput.sendNext("B")
                numbersInput.sendNext("1")
                numbersInput.sendNext("2")
                lettersInput.sendNext("C")
                numbersInput.sendNext("3")
            }
        ),
        (
            "EX-22 names", "[[[username] -skipRepeats] -take: 3] -filter:",
            { lines in
                let (username, input) = Signal<String, Never>.pipe()
                lines.add(username.named("username").skipRepeats().take(first: 3).filter { !$0.isEmpty }.name)
                withExtendedLifetime(input) {}
            }
        ),
        (
            "EX-39 filter and map", "bbfoobar cccfoobar",
            { lines in
                let (strings, input) = Signal<String, Never>.pipe()
                strings.filter { $0.count >= 2 }.map { $0 + "foobar" }.observeNext { lines.add($0) }
                for string in ["a", "bb", "ccc"] { input.sendNext(string) }
            }
        ),
    ]

    static func main() {
        var differences = 0
        for example in examples {
            let transcript = Transcript()
            example.run(transcript)
            let isRight = transcript.text == example.expected
            if !isRight { differences += 1 }
            print(
                "\(isRight ? "✓" : "✗") \(example.id)\n    printed   \(transcript.text)\n    expected  \(example.expected)"
            )
        }
        print("\(examples.count - differences) of \(examples.count) examples print what the documents state.")
        if differences > 0 { exit(1) }
    }
}

/// What an example prints.
final class Transcript: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var text: String { lines.withLock { $0.joined(separator: " ") } }
}
