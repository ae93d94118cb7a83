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

        USAGE: Quickstart [--all | --list] [NAME ...]

          NAME        an example, or a chapter by its name or number, as in: Quickstart 1 combineLatest actions
          --all       show all examples in order, the simplest first: Quickstart --all | less
          --list      list the examples without running them
          -h, --help  print this help

        Without arguments it lists the chapters, and shows the first example.
        The exit status is 1 if an example prints something unexpected, and 64 for wrong usage.
        """

    static func main() {
        var names: Set<String> = []
        var showsAll = false
        var isListed = false
        for argument in CommandLine.arguments.dropFirst() {
            switch argument {
            case "-h", "--help": return print(help)
            case "--all": showsAll = true
            case "--list": isListed = true
            case _ where known.contains(argument.lowercased()): names.insert(argument.lowercased())
            case _ where argument.hasPrefix("-"): refuse("unknown option \(argument.debugDescription)")
            default: refuse("unknown example \(argument.debugDescription); --list names the examples")
            }
        }
        let isWelcome = names.isEmpty && !showsAll && !isListed
        if names.isEmpty || showsAll { names = Set(sections.flatMap(\.names)) }
        let chosen = sections.compactMap { $0.only(names) }
        if isListed { return list(chosen) }
        if isWelcome { return welcome() }
        show(chosen.map(\.chapter))
        // The next chapter of the tour.
        if let last = chosen.last, chosen.count == 1, last.isWhole, let next = sections.dropFirst(last.number).first {
            print("Next: swift run Quickstart \(next.number) (\(next.chapter.name))")
        }
    }

    private static let sections = Chapter.all.enumerated().map { Section(number: $0 + 1, chapter: $1) }

    private static let known = Set(sections.flatMap { $0.names + $0.chapter.examples.map { $0.name.lowercased() } })

    /// Prints what fits on a screen: the chapters, and the first example.
    private static func welcome() {
        let count = Chapter.all.flatMap(\.examples).count
        print("A tour of the library in \(sections.count) chapters with \(count) examples:\n")
        for section in sections { print("  \(section.title.padded(to: 13)) \(section.chapter.about)") }
        print(
            """

            swift run Quickstart 1        shows a chapter
            swift run Quickstart flatMap  shows an example; --list names all of them
            swift run Quickstart --all    shows everything

            The first example:

            """)
        let outcome = Chapter.all[0].examples[0].run()
        print(outcome.report)
        if !outcome.isAsExpected { exit(1) }
    }

    private static func list(_ sections: [Section]) {
        for (index, section) in sections.enumerated() {
            if index > 0 { print() }
            print(section.title)
            for example in section.chapter.examples { print("  \(example.name): \(example.title)") }
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
        if different.isEmpty {
            return print(
                count == 1 ? "The example prints what it should." : "All \(count) examples print what they should.")
        }
        print("These examples print something else: \(different.joined(separator: ", "))")
        exit(1)
    }

    private static func refuse(_ reason: String) -> Never {
        let message = Array("Quickstart: \(reason)\n".utf8)
        _ = write(STDERR_FILENO, message, message.count)
        exit(64)  // EX_USAGE of sysexits.h
    }
}

/// A chapter, or some examples of one, with the number of the chapter in the tour.
private struct Section {
    let number: Int
    var chapter: Chapter
    var isWhole = true

    var title: String { "\(number). \(chapter.name)" }

    /// What the command line calls the chapter.
    var names: [String] { ["\(number)", chapter.name.lowercased()] }

    /// Returns the section with only the examples that have one of these names, or all of it if a name is its own.
    /// Returns `nil` if it has none of them.
    func only(_ names: Set<String>) -> Section? {
        if !names.isDisjoint(with: self.names) { return self }
        let chosen = chapter.examples.filter { names.contains($0.name.lowercased()) }
        if chosen.isEmpty { return nil }
        return Section(
            number: number, chapter: Chapter(chapter.name, about: chapter.about, examples: chosen), isWhole: false)
    }
}
