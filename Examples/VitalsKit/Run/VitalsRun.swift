import Dispatch
import ExamplesKit
import ReactiveServer
import ReactiveSignals

/// One run: it connects the sampler, the vital signs, a view and the report, and waits for the end.
final class VitalsRun: Sendable {
    private let options: Options
    private let output = Output()
    /// The terminal, if it shows the dashboard.
    private let terminal: Terminal?
    private let sampler: Sampler
    /// Readings are made here, and all that follows from them.
    private let readingQueue = DispatchQueue(label: "vitals.readings")
    /// A queue of its own, so that a write that does not return cannot keep Ctrl-C from being heard.
    private let endingQueue = DispatchQueue(label: "vitals.ending")
    private let report = Locked(Report())
    private let ended = DispatchSemaphore(value: 0)

    init(_ options: Options) {
        self.options = options
        let isInteractive = System.isTerminal(System.standardOutput) && System.environment("TERM") != "dumb"
        terminal = options.format == .automatic && isInteractive ? Terminal(output: output) : nil
        sampler = Sampler(
            tree: ProcTree(directory: options.root), milliseconds: options.milliseconds, queue: readingQueue)
    }

    /// Returns the exit code.
    func untilEnd() -> Int32 {
        // What comes while the rest is being set up takes effect afterwards.
        let endings = SignalProducer.unixSignal(System.endingSignals).replayEagerly(upTo: 1)
        var signs = VitalSigns(readings: sampler.readings)
        if let count = options.samples { signs.samples = signs.samples.take(first: count) }

        // Observers are served in the order in which they came: the report is last, when everything has been shown.
        if let terminal {
            showDashboard(signs, on: terminal)
        } else {
            showLines(options.format == .json ? Views.json(signs.samples) : Views.plain(signs.samples))
        }
        signs.samples.materialize()
            .scan(into: Report()) { report, event in report.add(event) }
            .filter { $0.ending != nil }
            .observeNext { final in
                self.report.withLock { $0 = final }
                self.ended.signal()
            }

        endings.startWithNext { _ in self.endingQueue.async { self.endSoon() } }
        terminal?.typed.filter(Self.quits).observeNext { _ in self.endingQueue.async { self.endSoon() } }
        sampler.start()
        ended.wait()
        return finish(report.withLock { $0 })
    }

    /// Whether the user has typed `q`. Letters behind an Escape belong to some other key.
    static func quits(_ typed: [UInt8]) -> Bool {
        typed.first != 0x1B && typed.contains { $0 == UInt8(ascii: "q") || $0 == UInt8(ascii: "Q") }
    }

    // MARK: Showing

    private func showLines(_ lines: Signal<String, VitalsError>) {
        lines.observe { event in
            if let line = event.value { self.attempt { () throws(VitalsError) in try self.output.write(line) } }
        }
    }

    private func showDashboard(_ signs: VitalSigns, on terminal: Terminal) {
        let (sizes, sizeInput) = Signal<TerminalSize, VitalsError>.pipe(contention: .enqueue)
        // Dragging a window's edge changes its size hundreds of times a second. Nobody sees more than a few, and the
        // last.
        let sizesToDraw = sizes.throttle(.milliseconds(40), on: QueueScheduler(targeting: readingQueue))
        Views.dashboard(readings: sampler.readings, signs: signs, sizes: sizesToDraw).observe { event in
            if let frame = event.value {
                self.attempt { () throws(VitalsError) in try terminal.draw(frame.lines, size: frame.size) }
            }
        }
        // A terminal never stops having a size, so somebody has to say when sizes no longer matter.
        sampler.readings.observe { event in
            if event.isTerminating { sizeInput.sendCompleted() }
        }
        sizeInput.sendNext(System.terminalSize() ?? .standard)
        // What comes meanwhile waits until the terminal has been taken.
        readingQueue.sync {
            SignalProducer.unixSignal(System.windowChanged, System.suspension).startWithNext { signal in
                self.readingQueue.async {
                    if signal == System.suspension { self.suspend(terminal) }
                    sizeInput.sendNext(System.terminalSize() ?? .standard)
                }
            }
            attempt { () throws(VitalsError) in try terminal.enter() }
        }
    }

    /// Gives the terminal to the shell, and takes it again afterwards.
    private func suspend(_ terminal: Terminal) {
        terminal.leave()
        System.suspend()
        attempt { () throws(VitalsError) in try terminal.enter() }
    }

    /// Ends the run if the output fails: there is nobody left to show anything to.
    private func attempt(_ write: () throws(VitalsError) -> Void) {
        do {
            try write()
        } catch {
            sampler.fail(error)
        }
    }

    // MARK: Ending

    private func endSoon() {
        sampler.stop()
        // If whoever reads the output has stopped reading, the write in progress never returns, and the run never ends.
        endingQueue.asyncAfter(deadline: .now() + .seconds(10)) {
            Output.tell("vitals: stopped early, because the output is blocked")
            System.leave(1)
        }
    }

    private func finish(_ report: Report) -> Int32 {
        // The samples have ended, but not what else was made of the readings. Whichever thread is still delivering the
        // end is let finish, so that nothing runs any more when the process exits.
        sampler.stop()
        readingQueue.sync {}
        endingQueue.sync {}
        terminal?.leave()
        if let error = error(of: report) {
            if error == .unread { return 0 }
            Output.tell("vitals: \(error)")
            return 1
        }
        if terminal != nil {
            try? output.write(report.text + "\n")
        } else if report.ending == .interrupted {
            // Standard output is for samples, whoever reads them counts on that.
            Output.tell(report.text)
        }
        return 0
    }

    private func error(of report: Report) -> VitalsError? {
        if case .failed(let error) = report.ending { return error }
        // The last line may fail when the run has already completed.
        if let failure = output.failure { return failure }
        let wanted = options.samples ?? 1
        guard report.ending == .completed, report.samples < wanted else { return nil }
        return .recordingEnded(directory: options.root, samples: report.samples, wanted: wanted)
    }
}
