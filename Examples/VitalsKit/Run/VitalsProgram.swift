import ExamplesKit

/// The program from its arguments to its exit code.
package enum VitalsProgram {
    package static func runAndExit(arguments: [String]) -> Never {
        System.end(run(arguments: arguments))
    }

    private static func run(arguments: [String]) -> Int32 {
        System.ignoreClosedPipes()
        do {
            if let options = try Options.parse(arguments) { return VitalsRun(options).untilEnd() }
        } catch {
            Output.tell("vitals: \(error); --help lists the options")
            return UsageError.exitCode
        }
        do {
            try Output().write(Options.help + "\n")
            return 0
        } catch {
            if error == .unread { return 0 }
            Output.tell("vitals: \(error)")
            return 1
        }
    }
}
