import Dispatch
import ExamplesKit
import ReactiveServer
import ReactiveSignals

/// The program from its arguments to its exit code.
package enum LineCountProgram {
    package static func runAndExit(arguments: [String]) -> Never {
        let code = run(arguments: arguments)
        // A thread may still be waiting for a file, and exiting in an orderly way would be done behind its back.
        if code == interrupted { System.leave(code) }
        System.end(code)
    }

    private static let interrupted: Int32 = 130
    private static let endingQueue = DispatchQueue(label: "linecount.ending")

    private static func run(arguments: [String]) -> Int32 {
        System.ignoreClosedPipes()
        let options: Options?
        do {
            options = try Options.parse(arguments)
        } catch {
            tell("\(error); --help lists the options")
            return UsageError.exitCode
        }
        guard let options else { return print(Options.help + "\n") }
        do {
            _ = try System.status(of: options.directory)
        } catch {
            tell("cannot read \(options.directory.printable): \(error)")
            return 1
        }
        if options.compares { return print("\(Comparison.measure(options.directory, options.selection))\n") }
        return count(options)
    }

    private static func count(_ options: Options) -> Int32 {
        let interrupter = SerialDisposable()
        SignalProducer.unixSignal(System.endingSignals).startWithNext { _ in
            interrupter.dispose()
            // If nobody reads the report, writing it never returns.
            endingQueue.asyncAfter(deadline: .now() + .seconds(10)) {
                tell("stopped early, because the output is blocked")
                System.leave(interrupted)
            }
        }
        let bar = ProgressBar()
        let run = LineCountRun(
            directory: options.directory, selection: options.selection,
            counting: Counting(limit: options.limit, retries: options.retries))
        // If a signal has come before, this is interrupted at once.
        interrupter.inner = run.begin(bar: bar)
        let report = run.report()
        bar?.finish()
        let code = print(options.isJSON ? report.json.text + "\n" : report.text)
        guard code == 0 else { return code }
        if report.isInterrupted {
            tell(report.interruption)
            return interrupted
        }
        guard let failure = report.failure else { return 0 }
        tell(failure)
        return 1
    }

    /// Returns the exit code.
    private static func print(_ text: String) -> Int32 {
        do {
            try System.put(text, to: System.standardOutput)
            return 0
        } catch {
            // Whoever reads it, `head` for one, has seen enough.
            if error.isClosedPipe { return 0 }
            tell("cannot write to standard output: \(error)")
            return 1
        }
    }

    // If even this cannot be written, nobody is there to be told.
    private static func tell(_ line: String) {
        try? System.put("linecount: \(line)\n", to: System.standardError)
    }
}
