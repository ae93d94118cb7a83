import Dispatch
import ExamplesKit
import ReactiveSignals

/// One run: it starts the counting, shows the progress, and waits for the end.
final class LineCountRun: Sendable {
    private let counting: Counting
    private let directory: String
    private let selection: Selection
    private let found = Locked(0)
    private let latest = Locked(Tally())
    private let isInterrupted = Locked(false)
    private let ended = DispatchSemaphore(value: 0)
    private let start = SuspendingClock.now

    init(directory: String, selection: Selection, counting: Counting) {
        self.directory = directory
        self.selection = selection
        self.counting = counting
    }

    /// Starts the counting, and returns what ends it before its time.
    func begin(bar: ProgressBar?) -> any Disposable {
        let walk = Walk(root: directory, table: counting.counter.table, selection: selection)
        let tallies = counting.tallies(of: walk) { count in self.found.withLock { $0 += count } }
        return tallies.startWithSignal { tallies, interrupter in
            if let bar {
                // Nobody sees more than a few a second.
                tallies.throttle(.milliseconds(50), on: QueueScheduler(name: "linecount.progress"))
                    .observeNext { tally in bar.draw(handled: tally.handled, found: self.found.withLock { $0 }) }
            }
            tallies.observe { event in
                switch event {
                case .next(let tally): self.latest.withLock { $0 = tally }
                case .interrupted:
                    self.isInterrupted.withLock { $0 = true }
                    self.ended.signal()
                case .completed, .error: self.ended.signal()
                }
            }
            return interrupter
        }
    }

    /// Waits for the end of what was begun.
    func report() -> Report {
        ended.wait()
        return Report(
            directory: directory, table: counting.counter.table, tally: latest.withLock { $0 },
            found: found.withLock { $0 }, isInterrupted: isInterrupted.withLock { $0 },
            time: start.duration(to: .now))
    }
}
