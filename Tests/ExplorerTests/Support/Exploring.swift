#if Explore
import Foundation
import InterleavingExplorer
import Testing

/// The extent of the explorations of this run: `REACTIVE_SIGNALS_EXPLORATION` is `quick` (for the gate) unless it is
/// `full`, or `guess` to print about how many schedules each scenario has.
enum Extent {
    private static let name = ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_EXPLORATION"]
    static let isFull = name == "full"
    static let isGuess = name == "guess"
    /// `compare` runs scenarios with and without the schedules that are equivalent to others, and expects the same
    /// outcomes.
    static let isComparison = name == "compare"
    /// Whether schedules that are equivalent to others are left out: with full extent, unless
    /// `REACTIVE_SIGNALS_EXPLORATION_ALL` is set.
    static let leavesOut = isFull && ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_EXPLORATION_ALL"] == nil

    /// With full extent, a scenario with more schedules fails: 5 million, or `REACTIVE_SIGNALS_EXPLORATION_LIMIT`.
    static let limit =
        ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_EXPLORATION_LIMIT"].flatMap(Int.init) ?? 5_000_000

    /// `REACTIVE_SIGNALS_SCHEDULE` is the schedule of a finding. Each scenario then runs only that schedule. Select
    /// the test with `--filter`, and its argument if it has any.
    static let schedule: Schedule? = ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_SCHEDULE"].map { line in
        guard let schedule = Schedule(line) else { fatalError("REACTIVE_SIGNALS_SCHEDULE=\(line): not a schedule") }
        return schedule
    }
}

/// Runs all schedules of a scenario with a number of preemptions. Records an issue if one fails, or if there are more
/// than the limit.
///
/// - Parameters:
///   - quick: With quick extent, a scenario with more schedules than this runs this many of them, and as many random
///     ones.
///   - preemptions: The number of preemptions. With full extent it is 2, the standard of the project.
func exhaust(
    quick: Int = 400, _ scenario: Scenario, preemptions: Int = 2, staleReads: Int = 0, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    var settings = Settings()
    settings.preemptions = Extent.isFull ? 2 : preemptions
    settings.staleReads = staleReads
    settings.leavesOutEquivalents = Extent.leavesOut
    settings.executionLimit = Extent.isFull ? Extent.limit : quick
    let begun = ContinuousClock.now
    if let schedule = Extent.schedule {
        if let finding = Explorer(scenario, settings).replay(schedule) {
            Issue.record(Comment(rawValue: "\(finding)"), sourceLocation: location)
        }
        return
    }
    if Extent.isGuess {
        settings.preemptions = 2
        let size = Int(Explorer(scenario, settings).estimate(guesses: 1_000))
        return print("\(scenario.name): about \(size) schedules with 2 preemptions, \(staleReads) stale reads")
    }
    if Extent.isComparison {
        settings.preemptions = preemptions
        settings.executionLimit = Extent.limit
        return compare(scenario, settings, location)
    }
    var outcome = Explorer(scenario, settings).exhaust()
    let isExhausted = outcome.isExhausted
    var note = outcome.leavesOut ? " that are not equivalent" : ""
    if !isExhausted, !Extent.isFull, outcome.finding == nil {
        outcome = Explorer(scenario, settings).sample(quick, seed: 1)
        note = " and as many random ones"
    }
    print(
        "\(scenario.name): \(isExhausted ? "all" : "the first") \(outcome.executions) schedules\(note) with "
            + "\(settings.preemptions) preemptions" + (staleReads > 0 ? ", \(staleReads) stale reads" : "")
            + ", \(outcome.longest) steps at most, \(tenths(ContinuousClock.now - begun)) s")
    if let finding = outcome.finding {
        Issue.record(Comment(rawValue: "\(finding)"), sourceLocation: location)
    } else if !isExhausted, Extent.isFull {
        Issue.record("\(scenario.name) is not exhausted", sourceLocation: location)
    }
}

/// Explores with and without equivalent schedules, and expects the same outcomes.
func compare(_ scenario: Scenario, _ settings: Settings, _ location: SourceLocation) {
    var settings = settings
    settings.collectsOutcomes = true
    settings.leavesOutEquivalents = false
    let all = Explorer(scenario, settings).exhaust()
    guard all.isExhausted else { return print("\(scenario.name): more than \(all.executions) schedules") }
    settings.leavesOutEquivalents = true
    let some = Explorer(scenario, settings).exhaust()
    guard some.leavesOut else { return print("\(scenario.name): nothing can be left out") }
    print(
        "\(scenario.name): \(some.executions) of \(all.executions) schedules, \(all.traces.count) different, "
            + "\(all.outcomes.count) outcomes")
    if some.outcomes != all.outcomes || some.traces != all.traces {
        let traces =
            "\(all.traces.subtracting(some.traces).count) missing, \(some.traces.subtracting(all.traces).count) new"
        Issue.record(
            "\(scenario.name): \(traces); missing outcomes: \(all.outcomes.subtracting(some.outcomes))",
            sourceLocation: location)
    }
}

private func tenths(_ time: Duration) -> String {
    let tenths = Int(time / .milliseconds(100))
    return "\(tenths / 10).\(tenths % 10)"
}

/// Runs random schedules of a scenario that has too many to run all: 2,000 in the gate, otherwise a million.
func sample(
    _ scenario: Scenario, quick: Int = 2_000, staleReads: Int = 0, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    var settings = Settings()
    settings.staleReads = staleReads
    if let schedule = Extent.schedule {
        if let finding = Explorer(scenario, settings).replay(schedule) {
            Issue.record(Comment(rawValue: "\(finding)"), sourceLocation: location)
        }
        return
    }
    let begun = ContinuousClock.now
    let outcome = Explorer(scenario, settings).sample(Extent.isFull ? 1_000_000 : quick, seed: 1)
    print(
        "\(scenario.name): \(outcome.executions) random schedules, \(outcome.longest) steps at most, "
            + "\(tenths(ContinuousClock.now - begun)) s")
    if let finding = outcome.finding { Issue.record(Comment(rawValue: "\(finding)"), sourceLocation: location) }
}
#endif
