#if Explore
/// How far an exploration goes.
package struct Settings: Sendable {
    /// How often a thread is interrupted that could go on, in an exhaustive exploration.
    package var preemptions = 2
    /// How many loads of a thread may return a store that is not the last one. 0 is sequential consistency.
    package var staleReads = 0
    /// An execution fails that takes longer, in seconds: some thread waits for something outside.
    package var patience = 60.0
    /// An execution with more steps fails.
    package var stepLimit = 20_000
    /// An exhaustive exploration ends after so many executions, and says that it is not exhausted.
    package var executionLimit = 1_000_000

    package init() {}
}

/// A schedule that breaks a scenario.
package struct Finding: Sendable, CustomStringConvertible {
    package let scenario: String
    package let failures: [String]
    package let schedule: Schedule
    package let staleReads: Int

    package var description: String {
        """
        \(scenario): \(failures.joined(separator: "; "))
        replay with: \(schedule)\(staleReads > 0 ? " (\(staleReads) stale reads)" : "")
        """
    }
}

/// What an exploration has come to.
package struct Exploration: Sendable {
    package let executions: Int
    /// Whether every schedule within the bounds has been run.
    package let isExhausted: Bool
    package let longest: Int
    package let finding: Finding?
}

/// Runs a scenario under many schedules, until one breaks it.
///
/// One scenario at a time is explored in a process, and while it is, nothing else uses explored words.
package struct Explorer {
    private let scenario: Scenario
    private let settings: Settings

    package init(_ scenario: Scenario, _ settings: Settings = Settings()) {
        self.scenario = scenario
        self.settings = settings
    }

    /// Runs all schedules within the bounds.
    package func exhaust() -> Exploration {
        var shared = warmUp()
        var strategy = DepthFirst(preemptions: settings.preemptions)
        var executions = 0
        var longest = 0
        while true {
            let run = run(strategy, shared)
            executions += 1
            longest = max(longest, run.steps)
            if let finding = run.finding {
                return Exploration(
                    executions: executions, isExhausted: false, longest: longest, finding: shrunk(finding))
            }
            if run.newlyShared.isEmpty {
                if !strategy.advance() {
                    return Exploration(executions: executions, isExhausted: true, longest: longest, finding: nil)
                }
            } else {
                // Steps that did not seem to matter do: begin anew.
                shared.formUnion(run.newlyShared)
                strategy = DepthFirst(preemptions: settings.preemptions)
            }
            if executions >= settings.executionLimit {
                return Exploration(executions: executions, isExhausted: false, longest: longest, finding: nil)
            }
        }
    }

    /// Runs random schedules.
    package func sample(_ count: Int, seed: UInt64, depth: Int = 4) -> Exploration {
        var shared = warmUp()
        var longest = 0
        for index in 0..<count {
            let strategy = RandomPriorities(
                seed: seed &+ UInt64(index), depth: 2 + index % depth, length: max(50, longest))
            let run = run(strategy, shared)
            longest = max(longest, run.steps)
            shared.formUnion(run.newlyShared)
            if let finding = run.finding {
                return Exploration(
                    executions: index + 1, isExhausted: false, longest: longest, finding: shrunk(finding))
            }
        }
        return Exploration(executions: count, isExhausted: false, longest: longest, finding: nil)
    }

    /// Runs one schedule again. Its finding is nil if the scenario holds now.
    ///
    /// A schedule of another scenario, or of one that has changed since, is a finding as well.
    package func replay(_ schedule: Schedule) -> Finding? {
        let run = run(Replay(schedule), nil)
        if let finding = run.finding { return finding }
        if run.steps == schedule.length { return nil }
        let failure = "the schedule diverges: it has \(schedule.length) steps, and the execution \(run.steps)"
        return Finding(
            scenario: scenario.name, failures: [failure], schedule: schedule, staleReads: settings.staleReads)
    }

    // MARK: One execution

    private struct Run {
        let finding: Finding?
        let diverges: Bool
        let steps: Int
        let newlyShared: Set<Place.Name>
    }

    private func run(_ strategy: any Strategy, _ shared: Set<Place.Name>?) -> Run {
        let execution = Execution(settings, strategy, shared: shared)
        _ = execution.run(scenario)
        let failures = execution.failures
        let finding =
            failures.isEmpty
            ? nil
            : Finding(
                scenario: scenario.name, failures: failures,
                schedule: Schedule(execution.choices, length: execution.steps),
                staleReads: settings.staleReads)
        return Run(
            finding: finding, diverges: execution.diverges, steps: execution.steps,
            newlyShared: execution.newlyShared)
    }

    /// Runs it a few times without interruptions, so that all that is made once in a process exists, and returns the
    /// places that threads share.
    private func warmUp() -> Set<Place.Name> {
        var shared: Set<Place.Name> = []
        while true {
            let run = run(DepthFirst(preemptions: 0), shared)
            if run.newlyShared.isEmpty || run.finding != nil { return shared }
            shared.formUnion(run.newlyShared)
        }
    }

    /// Leaves out each exception that the failure does not need.
    private func shrunk(_ finding: Finding) -> Finding {
        var best = finding
        var tries = 0
        var isShorter = true
        while isShorter, tries < 200 {
            isShorter = false
            for moment in best.schedule.exceptions.keys.sorted(by: >) {
                tries += 1
                // Without one exception the others may not fit any more, which is no finding.
                let run = run(Replay(best.schedule.without(moment)), nil)
                if let finding = run.finding, !run.diverges,
                    finding.schedule.exceptions.count < best.schedule.exceptions.count
                {
                    best = finding
                    isShorter = true
                    break
                }
            }
        }
        return best
    }
}
#endif
