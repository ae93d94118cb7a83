import HotSignals
package import ReactiveSignals

/// Ends the process if nothing happens within a `run` for too long.
///
/// On a busy machine, whatever the body waits for may merely be delayed. So it is not a stall until two tasks have run
/// that were started when nothing seemed to happen: one in the pool, with the priority of the body, and one on the main
/// actor.
package struct StallWatch: Sendable {
    private let patience: Duration
    private let timekeeper: any DelayScheduler
    private let stalled: @Sendable (String) -> Void

    /// - Parameters:
    ///   - patience: The interval between two checks.
    ///   - timekeeper: Measures the interval. Real time by default.
    ///   - stalled: Called with a message when a stall is detected. Ends the process by default.
    package init(
        patience: Duration, on timekeeper: any DelayScheduler = QueueScheduler(name: "StallWatch"),
        stalled: @escaping @Sendable (String) -> Void = { fatalError($0) }
    ) {
        self.patience = patience
        self.timekeeper = timekeeper
        self.stalled = stalled
    }

    /// Checks at each interval, until the returned disposable is disposed of.
    func begin(_ scheduler: TestScheduler) -> (any Disposable)? {
        let detector = Locked(StallDetector.movement)
        let priority = Task.currentPriority
        return timekeeper.schedule(after: patience, interval: patience) { [weak scheduler] in
            guard let scheduler else { return }
            let progress = scheduler.progressIfIdle
            let (isStalled, probe) = detector.withLock { $0.check(progress) }
            if isStalled { stalled(scheduler.stallMessage(patience)) }
            if let probe {
                Task.detached(priority: priority) { probe.hasRun.raise() }
                Task.detached(priority: priority) { @MainActor in probe.hasRunOnMainActor.raise() }
            }
        }
    }
}

/// The state of a stall detector, which checks at intervals whether anything happens.
package enum StallDetector: Sendable {
    case movement
    /// The scheduler was idle at the last check, with this progress count.
    case standstill(UInt)
    /// There was no progress between two checks. Two tasks were started, to show whether tasks get to run.
    case probing(UInt, StallProbe)

    /// Performs the next check.
    ///
    /// - Parameter progress: The progress count, or `nil` while something is running.
    /// - Returns: Whether this is a stall, and a probe to start.
    package mutating func check(_ progress: UInt?) -> (isStalled: Bool, probe: StallProbe?) {
        switch (self, progress) {
        case (.standstill(let former), let progress?) where former == progress:
            let probe = StallProbe()
            self = .probing(former, probe)
            return (false, probe)
        case (.probing(let former, let probe), let progress?) where former == progress:
            return (probe.hasRun.isRaised && probe.hasRunOnMainActor.isRaised, nil)
        default:
            self = progress.map { .standstill($0) } ?? .movement
            return (false, nil)
        }
    }
}

/// Shows whether tasks get to run.
package final class StallProbe: Sendable {
    package let hasRun = AtomicFlag()
    package let hasRunOnMainActor = AtomicFlag()
}

extension TestScheduler {
    /// The progress count, or `nil` while something is running.
    package var progressIfIdle: UInt? {
        withLock { work.isDraining || turns.mover != nil ? nil : work.progress }
    }

    fileprivate func stallMessage(_ patience: Swift.Duration) -> String {
        let (now, rest) = withLock { (time, pending) }
        let waiting =
            rest.next.map { "scheduled actions: \(rest.count), the next at \($0)" }
            ?? "no scheduled action could resume it"
        return """
            TestScheduler.run(patience: \(patience)): nothing has happened for that long, and the body has not returned. \
            The time is \(now); \(waiting). Is the body waiting for the time to advance, without calling advance(by:)?
            """
    }
}
