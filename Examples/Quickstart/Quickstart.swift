import ReactiveSignals

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// `swift run Quickstart`: the worked examples, each beside the output that the documents state.
@main
enum Quickstart {
    static let examples =
        WorkedExample.values + WorkedExample.combining + WorkedExample.events + WorkedExample.producers
        + WorkedExample.flattening + WorkedExample.properties + WorkedExample.actions + WorkedExample.laziness

    static let help = """
        Runs the worked examples and compares what they print with what the documents state.

        usage: Quickstart [--list] [ID ...]

          ID          run only these, as in: swift run Quickstart EX-14
          --list      say which there are, and run none
          -h, --help  print this

        The exit code is 1 if an example prints anything else, and 2 if the command line makes no sense.
        """

    static func main() {
        var ids: [String] = []
        var isListed = false
        for argument in CommandLine.arguments.dropFirst() {
            switch argument {
            case "-h", "--help": return print(help)
            case "--list": isListed = true
            case _ where examples.contains { $0.id == argument.uppercased() }: ids.append(argument.uppercased())
            case _ where argument.hasPrefix("-"): refuse("there is no option \(argument.debugDescription)")
            default: refuse("there is no example \(argument.debugDescription); --list names them")
            }
        }
        let chosen = ids.isEmpty ? examples : examples.filter { ids.contains($0.id) }
        if isListed {
            for example in chosen { print("\(example.id)  \(example.title)") }
            return
        }

        let outcomes = chosen.map { $0.run() }
        for outcome in outcomes { print(outcome.report, terminator: "\n\n") }
        let different = outcomes.filter { !$0.isAsExpected }.map(\.example.id)
        if different.isEmpty { return print("All \(outcomes.count) print what the documents state.") }
        print("Not what the documents state: \(different.joined(separator: ", "))")
        exit(1)
    }

    private static func refuse(_ reason: String) -> Never {
        let message = Array("Quickstart: \(reason)\n".utf8)
        _ = write(STDERR_FILENO, message, message.count)
        exit(2)
    }
}
