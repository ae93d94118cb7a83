import ExamplesKit

/// The program from its arguments to its exit code.
package enum ConfigReloadProgram {
    package static func runAndExit(arguments: [String]) -> Never {
        System.end(run(arguments: arguments))
    }

    private static func run(arguments: [String]) -> Int32 {
        System.ignoreClosedPipes()
        let options: Options?
        do {
            options = try Options.parse(arguments)
        } catch {
            Output.tell("configreload: \(error); --help lists the options")
            return UsageError.exitCode
        }
        guard let options else { return print(Options.help) }
        guard options.isOnce else { return ConfigReloadRun(file: options.file).untilEnd() }
        guard ConfigReloadRun.check(Contents.read(options.file), of: options.file) != nil else { return 1 }
        return print("\(options.file.printable) is valid")
    }

    /// Returns the exit code.
    private static func print(_ line: String) -> Int32 {
        do {
            try System.put(line + "\n", to: System.standardOutput)
            return 0
        } catch {
            // Whoever reads it, `head` for one, has seen enough.
            if error.isClosedPipe { return 0 }
            Output.tell("configreload: cannot write to standard output: \(error)")
            return 1
        }
    }
}
