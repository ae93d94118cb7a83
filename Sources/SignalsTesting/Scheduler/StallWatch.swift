import HotSignals
package import ReactiveSignals

/// Ends the process if nothing happens within a `run` for too long.
///
/// On a machine that is busy, what the body waits for may just not have had its turn: so nothing counts as a stall before tasks have
/// had theirs that were begun when things seemed to stand still, one in the pool, with the priority of the body, and one on the main actor.
package struct StallWatch: Sendable {
    private let patience: Duration
    private let timekeeper: any DelayScheduler
    private let stalled: @Sendable (String) -> Void

    /// - Parameters:
    ///   - patience: How often it looks.
    ///   - timekeeper: Whose time that is; the real one if not given.
    ///   - stalled: Called with a message when it has seen a stall; it ends the process if not given.
    package init(
        patience: Duration, on timekeeper: any DelayScheduler = QueueScheduler(name: "StallWatch"),
        stalled: @escaping @Sendable (String) -> Void = { fatalError($0) }
    ) {
        self.patience = patience
        self.timekeeper = timekeeper
        self.stalled = stalled
    }

    /// Looks again and again, until it is disposed of.
    func begin(_ scheduler: TestScheduler) -> (any Disposable)? {
        let sight = Locked(StallSight.movement)
        let priority = Task.currentPriority
        return timekeeper.schedule(after: patience, interval: patience) { [weak scheduler] in
            guard let scheduler else { return }
            let progress = scheduler.progressIfIdle
            let (isStalled, probe) = sight.withLock { $0.look(progress) }
            if isStalled { stalled(scheduler.stallMessage(patience)) }
            if let probe {
                Task.detached(priority: priority) { probe.hasRun.raise() }
                Task.detached(priority: priority) { @MainActor in probe.hasRunOnMainActor.raise() }
            }
        }
    }
}

/// What somebody has seen who looks now and then whether something happens.
package enum StallSight: Sendable {
    case movement
    /// With how much had been done.
    case standstill(UInt)
    /// There has been a standstill, and a task has begun that is to show that others have their turn.
    case probing(UInt, StallProbe)

    /// Looks again, after a time.
    ///
    /// - Parameter progress: How much has been done; nil while something is being done.
    /// - Returns: Whether this is a stall, and a probe that is to begin.
    package mutating func look(_ progress: UInt?) -> (isStalled: Bool, probe: StallProbe?) {
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

/// Shows that tasks have their turn.
package final class StallProbe: Sendable {
    package let hasRun = AtomicFlag()
    package let hasRunOnMainActor = AtomicFlag()
}

extension TestScheduler {
    /// How much has been done, if nothing is being done.
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
