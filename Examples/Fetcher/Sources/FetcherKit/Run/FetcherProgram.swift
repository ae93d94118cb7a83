import ArgumentParser
import Logging
import ReactiveServer
import ReactiveSignals

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The program, from its arguments to its exit status.
package enum FetcherProgram {
    package static func runAndExit(arguments: [String]) async -> Never {
        Console.ignoreClosedPipes()
        do {
            let command = try FetcherCommand.parse(arguments)
            _exit(try await run(command, command.targets()))
        } catch let error as FetchError {
            Console.tell(error.description)
            _exit(1)
        } catch let error as InputProblem {
            Console.tell(error.description)
            _exit(1)
        } catch {
            let code = FetcherCommand.exitCode(for: error)
            if code == .success {
                // The help text is not an error, and goes to standard output.
                Console.write(FetcherCommand.fullMessage(for: error) + "\n", to: Console.output)
            } else {
                // One line, instead of the usage with all options.
                var message = FetcherCommand.message(for: error)
                if message.last == "." { message.removeLast() }
                Console.tell("\(message); --help lists the options")
            }
            _exit(code.rawValue)
        }
    }

    private static func run(_ command: FetcherCommand, _ targets: [FetchTarget]) async throws -> Int32 {
        let directory = try command.output.map { path throws(FetchError) in try Directory(path) }
        let transport = HTTPTransport(command.settings, log: log(isVerbose: command.verbose))
        let run = FetchRun(
            targets, command.settings, directory: directory, on: QueueScheduler(name: "fetcher.time"),
            transport: transport.transport)
        let received = MutableProperty<Int32?>(nil)
        let start = ContinuousClock.now
        let ledger = await withSignalScope(throwing: Never.self) { scope in
            SignalProducer.unixSignal(SIGINT, SIGTERM).startWithNext(in: scope) { signal in
                received.modify { $0 = $0 ?? signal }
                run.interrupt()
            }
            show(run, command, in: scope)
            let ledger = await run.ledger.last() ?? Ledger(targets)
            // Deletes the files that another thread may still be writing.
            directory?.end()
            return ledger
        }

        let isInterrupted = received.value != nil
        let summary = Summary(
            ledger, directory: command.output, isInterrupted: isInterrupted, time: start.duration(to: .now))
        Console.write(command.json ? summary.json : summary.text, to: Console.output)
        if let signal = received.value {
            // Exits without waiting for open connections. The client must not be released before it is shut down.
            withExtendedLifetime(transport) { _exit(128 + signal) }
        }
        await transport.shutDown()
        return ledger.isComplete ? 0 : 1
    }

    private static func show(_ run: FetchRun, _ command: FetcherCommand, in scope: SignalScope<Never>) {
        if command.quiet { return }
        if Console.isTerminal, !command.verbose {
            ProgressView.showBlock(of: run, in: scope)
        } else {
            ProgressView.showLines(of: run, hasFailures: command.json, in: scope)
        }
    }

    private static func log(isVerbose: Bool) -> Logger {
        Logger(label: "Fetcher") { label in
            guard isVerbose else { return SwiftLogNoOpLogHandler() }
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .debug
            return handler
        }
    }
}
