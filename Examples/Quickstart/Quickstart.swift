import ReactiveSignals

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// `swift run Quickstart`: a tour of the library, in examples that are shown, run and checked.
@main
enum Quickstart {
    static let help = """
        A tour of the library in examples: shows the code of each, runs it, and prints its output.

        USAGE: Quickstart [--list] [NAME ...]

          NAME        an example or a chapter, as in: Quickstart combineLatest actions
          --list      list the examples without running them
          -h, --help  print this help

        Without a name it runs all of them in order, the simplest first: Quickstart | less.
        The exit status is 1 if an example prints something unexpected, and 2 for wrong usage.
        """

    static func main() {
        var names: Set<String> = []
        var isListed = false
        for argument in CommandLine.arguments.dropFirst() {
            switch argument {
            case "-h", "--help": return print(help)
            case "--list": isListed = true
            case _ where known.contains(argument.lowercased()): names.insert(argument.lowercased())
            case _ where argument.hasPrefix("-"): refuse("unknown option \(argument.debugDescription)")
            default: refuse("unknown example \(argument.debugDescription); --list names the examples")
            }
        }
        let chapters = names.isEmpty ? Chapter.all : Chapter.all.compactMap { $0.only(names) }
        if isListed { list(chapters) } else { show(chapters) }
    }

    private static let known = Set(
        Chapter.all.flatMap { [$0.name] + $0.examples.map(\.name) }.map { $0.lowercased() })

    private static func list(_ chapters: [Chapter]) {
        for (index, chapter) in chapters.enumerated() {
            if index > 0 { print() }
            print(chapter.name)
            for example in chapter.examples { print("  \(example.name): \(example.title)") }
        }
    }

    private static func show(_ chapters: [Chapter]) {
        var count = 0
        var different: [String] = []
        for chapter in chapters {
            print("\(chapter.name)\n\(String(repeating: "=", count: chapter.name.count))\n\(chapter.about)\n")
            for example in chapter.examples {
                let outcome = example.run()
                print(outcome.report + "\n")
                count += 1
                if !outcome.isAsExpected { different.append(example.name) }
            }
        }
        if different.isEmpty { return print("All \(count) examples print what they should.") }
        print("These examples print something else: \(different.joined(separator: ", "))")
        exit(1)
    }

    private static func refuse(_ reason: String) -> Never {
        let message = Array("Quickstart: \(reason)\n".utf8)
        _ = write(STDERR_FILENO, message, message.count)
        exit(2)
    }
}

extension Chapter {
    /// The chapter with the examples of these names; the whole, if it is named itself; nil if nothing is left.
    fileprivate func only(_ names: Set<String>) -> Chapter? {
        if names.contains(name.lowercased()) { return self }
        let chosen = examples.filter { names.contains($0.name.lowercased()) }
        return chosen.isEmpty ? nil : Chapter(name, about: about, examples: chosen)
    }
}
