import Dispatch
import ExamplesKit
import ReactiveServer
import ReactiveSignals

/// One run: it connects the watch, the reloader, the components and the output, and waits for the end.
final class ConfigReloadRun: Sendable {
    private let file: String
    private let watchQueue = DispatchQueue(label: "configreload.watch")
    /// A queue of its own, so that a write that does not return cannot keep Ctrl-C from being heard.
    private let endingQueue = DispatchQueue(label: "configreload.ending")
    private let counts = Locked((applied: 0, rejected: 0))
    private let exitCode = Locked<Int32?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    init(file: String) { self.file = file }

    /// Returns the exit code.
    func untilEnd() -> Int32 {
        // Until the process exits: a signal is not to end it while it says how it has ended.
        SignalProducer.unixSignal(System.endingSignals).startWithNext { _ in self.end(0) }
        guard let first = Self.check(Contents.read(file), of: file) else {
            Output.tell("configreload: there is no valid configuration to start with")
            return 1
        }
        let output = Output { failure in
            // Whoever reads it, `head` for one, has seen enough.
            if failure.isClosedPipe { return self.end(0) }
            Output.tell("configreload: cannot write to standard output: \(failure)")
            self.end(1)
        }
        output.write("watching \(file.printable)")

        let readScheduler = QueueScheduler(name: "configreload.read")
        let reloader = Reloader(first, on: readScheduler) { [file] in Contents.read(file) }
        report(reloader, to: output)
        Components.lines(reloader.configuration).startWithNext { output.write($0) }
        let watch = follow(reloader)

        // A binding does not hold its target.
        withExtendedLifetime(reloader) {
            ended.wait()
            watch.dispose()
            // Whichever thread is still at work is let finish, so that nothing runs any more when the process exits.
            watchQueue.sync {}
            readScheduler.queue.sync {}
            let (applied, rejected) = counts.withLock { $0 }
            output.finish("ended after \(applied + rejected) reloads, \(rejected) of them rejected")
        }
        return exitCode.withLock { $0 } ?? 0
    }

    /// What the file means; nil if it cannot come into force. Tells what is wrong with it.
    static func check(_ contents: Contents, of file: String) -> Accepted? {
        do {
            let accepted = try Accepted(contents)
            tell(accepted.warnings, of: file)
            return accepted
        } catch {
            tell(error.problems, of: file)
            return nil
        }
    }

    private static func tell(_ problems: [Problem], of file: String) {
        for problem in problems { Output.tell(problem.text(file: file)) }
    }

    // MARK: Connecting

    /// Says what becomes of each reload, before the components do.
    private func report(_ reloader: Reloader, to output: Output) {
        let file = file
        reloader.outcome.signal.observeNext { outcome in
            switch outcome {
            case .success(let accepted):
                self.counts.withLock { $0.applied += 1 }
                Self.tell(accepted.warnings, of: file)
            case .failure(let rejection):
                self.counts.withLock { $0.rejected += 1 }
                Self.tell(rejection.problems, of: file)
                Output.tell("\(file.printable): not applied; the last valid configuration remains in force")
            }
        }
        reloader.outcome.producer
            .compactMap { try? $0.get().configuration }
            .combinePrevious()
            .filter { $0 == $1 }
            .startWithNext { _ in output.write("\(file.printable): applied, without a change") }
    }

    /// Reloads when the file changes, until it is disposed of.
    private func follow(_ reloader: Reloader) -> any Disposable {
        FileWatch.changes(of: file, on: watchQueue)
            .on(error: { failure in
                Output.tell("configreload: cannot watch \(self.file.printable): \(failure)")
                self.end(1)
            })
            .flatMapError { _ in SignalProducer<FileChange, Never>.empty }
            .startWithSignal { changes, disposable in
                changes.compactMap(\.warning).observeNext { Output.tell("configreload: \($0)") }
                let scheduler = QueueScheduler(targeting: self.watchQueue)
                _ = reloader.follow(changes.filter { $0 == .changed }.map { _ in }, on: scheduler)
                return disposable
            }
    }

    // MARK: Ending

    private func end(_ code: Int32) {
        let isFirst = exitCode.withLock { exitCode in
            defer { exitCode = max(exitCode ?? code, code) }
            return exitCode == nil
        }
        guard isFirst else { return }
        ended.signal()
        // If whoever reads the output has stopped reading, the write in progress never returns, and the run never ends.
        endingQueue.asyncAfter(deadline: .now() + .seconds(10)) {
            Output.tell("configreload: stopped early, because the output is blocked")
            System.leave(1)
        }
    }
}
