#if Explore
/// The limits of an exploration.
package struct Settings: Sendable {
    /// How often a thread that could continue is interrupted, in an exhaustive exploration.
    package var preemptions = 2
    /// How many loads of a thread may return a store other than the last one. 0 means sequential consistency.
    package var staleReads = 0
    /// Timeout of an execution in seconds. If it is exceeded, some thread waits for something outside the execution.
    package var patience = 60.0
    /// An execution with more steps fails.
    package var stepLimit = 20_000
    /// An exhaustive exploration stops after this many executions, and reports that it is not exhausted.
    package var executionLimit = 1_000_000
    /// Whether an exhaustive exploration leaves out schedules that are equivalent to others. State that the threads of
    /// the scenario share must be known to it: see ``Trial/State``.
    package var leavesOutEquivalents = false
    /// Whether outcomes are collected, to compare explorations with each other.
    package var collectsOutcomes = false

    package init() {}
}

/// A schedule under which a scenario fails.
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

/// The result of an exploration.
package struct Exploration: Sendable {
    package let executions: Int
    /// Whether every schedule within the bounds has been run.
    package let isExhausted: Bool
    package let longest: Int
    package let finding: Finding?
    /// The different outcomes, if they are collected: see ``Trial/outcome(_:)``.
    package var outcomes: Set<String> = []
    /// The hashes of the schedules that are not equivalent, if outcomes are collected.
    package var traces: Set<UInt64> = []
    /// Whether equivalent schedules have been left out.
    package var leavesOut = false
}

/// Runs a scenario under many schedules, until it fails under one of them.
///
/// Only one scenario at a time can be explored in a process. Meanwhile, nothing else may use explored words.
package struct Explorer {
    private let scenario: Scenario
    private let settings: Settings

    package init(_ scenario: Scenario, _ settings: Settings = Settings()) {
        self.scenario = scenario
        self.settings = settings
    }

    /// Runs all schedules within the bounds.
    package func exhaust() -> Exploration {
        watched(exhaustHere) { Exploration(executions: 0, isExhausted: false, longest: 0, finding: $0) }
    }

    private func exhaustHere() -> Exploration {
        var shared = warmUp()
        var leavesOut = settings.leavesOutEquivalents && settings.staleReads == 0
        var strategy = DepthFirst(preemptions: settings.preemptions, leavesOut: leavesOut)
        var executions = 0
        var longest = 0
        var outcomes: Set<String> = []
        var traces: Set<UInt64> = []
        func exploration(isExhausted: Bool) -> Exploration {
            Exploration(
                executions: executions, isExhausted: isExhausted, longest: longest, finding: nil, outcomes: outcomes,
                traces: traces, leavesOut: leavesOut)
        }
        while true {
            let run = run(strategy, shared)
            executions += 1
            if settings.collectsOutcomes {
                outcomes.insert(run.outcome)
                traces.insert(run.trace)
            }
            longest = max(longest, run.steps)
            if let finding = run.finding {
                return Exploration(
                    executions: executions, isExhausted: false, longest: longest, finding: shrunk(finding))
            }
            if run.newlyShared.isEmpty, !leavesOut || !run.isUnknown {
                strategy.note(racing: run.racing)
                if !strategy.advance() {
                    return exploration(isExhausted: true)
                }
            } else {
                // Steps that seemed irrelevant are relevant: start again.
                shared.formUnion(run.newlyShared)
                outcomes = []
                traces = []
                if run.isUnknown { leavesOut = false }
                strategy = DepthFirst(preemptions: settings.preemptions, leavesOut: leavesOut)
            }
            if executions >= settings.executionLimit {
                return exploration(isExhausted: false)
            }
        }
    }

    /// Runs random schedules.
    package func sample(_ count: Int, seed: UInt64, depth: Int = 4) -> Exploration {
        watched({ sampleHere(count, seed, depth) }) {
            Exploration(executions: 0, isExhausted: false, longest: 0, finding: $0)
        }
    }

    private func sampleHere(_ count: Int, _ seed: UInt64, _ depth: Int) -> Exploration {
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

    /// Runs one schedule again. Returns `nil` if the scenario does not fail any more.
    ///
    /// A schedule of another scenario, or of a scenario that has changed since, is also a finding.
    package func replay(_ schedule: Schedule) -> Finding? { watched({ replayHere(schedule) }) { $0 } }

    private func replayHere(_ schedule: Schedule) -> Finding? {
        let run = run(Replay(schedule), nil)
        if let finding = run.finding { return finding }
        if run.steps == schedule.length { return nil }
        let failure = "the schedule diverges: it has \(schedule.length) steps, and the execution \(run.steps)"
        return Finding(
            scenario: scenario.name, failures: [failure], schedule: schedule, staleReads: settings.staleReads)
    }

    /// Returns about how many schedules ``exhaust()`` would run: the mean of a number of guesses, each of which follows
    /// one random schedule and multiplies the numbers of its alternatives.
    package func estimate(guesses: Int, seed: UInt64 = 1) -> Double {
        watched({
            var shared = warmUp()
            var sum = 0.0
            var steps = 50
            for index in 0..<guesses {
                let guess = Guess(
                    preemptions: settings.preemptions, seed: seed &+ UInt64(index), length: steps / 3)
                let run = run(guess, shared)
                shared.formUnion(run.newlyShared)
                steps = run.steps
                sum += guess.size
            }
            return sum / Double(max(guesses, 1))
        }) { _ in .infinity }
    }

    // MARK: One execution

    /// Runs `body`, or returns the result of `stuck` if a thread waits for something that the explorer does not see.
    private func watched<Result>(_ body: @escaping () -> Result, _ stuck: (Finding) -> Result) -> Result {
        var progress = Execution.progress
        let result = Carrier.run(
            checkingEvery: settings.patience,
            {
                defer { progress = Execution.progress }
                return progress == Execution.progress
            }, body)
        if let result { return result }
        let failure = "nothing happens: a thread waits for something that the explorer does not see"
        // The execution does not change any more.
        let execution = Execution.latest
        return stuck(
            Finding(
                scenario: scenario.name, failures: (execution?.failures ?? []) + [failure],
                schedule: Schedule(execution?.choices ?? [], length: execution?.steps ?? 0),
                staleReads: settings.staleReads))
    }

    private struct Run {
        let finding: Finding?
        let diverges: Bool
        let steps: Int
        let newlyShared: Set<Place.Name>
        /// The choices with which an access races.
        let racing: [Int]
        /// Whether not all races are known.
        let isUnknown: Bool
        let outcome: String
        let trace: UInt64
    }

    /// One is enough, as only one exploration runs at a time.
    nonisolated(unsafe) private static let dependence = Dependence()

    private func run(_ strategy: any Strategy, _ shared: Set<Place.Name>?) -> Run {
        let dependence = Self.dependence
        let execution = Execution(settings, strategy, shared: shared, dependence)
        execution.run(scenario)
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
            newlyShared: execution.newlyShared, racing: strategy.leavesOut ? dependence.racing : [],
            isUnknown: dependence.isUnknown, outcome: execution.outcome, trace: dependence.trace)
    }

    /// Runs the scenario a few times without preemptions, so that everything that is created once per process exists.
    /// Returns the places that threads share.
    private func warmUp() -> Set<Place.Name> {
        var shared: Set<Place.Name> = []
        while true {
            let run = run(DepthFirst(preemptions: 0), shared)
            if run.newlyShared.isEmpty || run.finding != nil { return shared }
            shared.formUnion(run.newlyShared)
        }
    }

    /// Removes each exception that the failure does not need.
    private func shrunk(_ finding: Finding) -> Finding {
        var best = finding
        var tries = 0
        var isShorter = true
        while isShorter, tries < 200 {
            isShorter = false
            for moment in best.schedule.exceptions.keys.sorted(by: >) {
                tries += 1
                // Without one exception the others may no longer fit. That is not a finding.
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
