#if Explore
import Foundation
import InterleavingExplorer
import Testing

/// How far the explorations of this run go: `REACTIVE_SIGNALS_EXPLORATION` is `quick` (for the gate) unless it is `full`.
enum Extent {
    static let isFull = ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_EXPLORATION"] == "full"
}

/// Runs all schedules of a scenario with a number of preemptions, and records an issue if one breaks it or if there are
/// more than the limit.
///
/// - Parameters:
///   - preemptions: With full extent one more than given, up to 2, the bar of the project.
func exhaust(
    _ scenario: Scenario, preemptions: Int = 2, staleReads: Int = 0, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    var settings = Settings()
    settings.preemptions = Extent.isFull ? 2 : preemptions
    settings.staleReads = staleReads
    let outcome = Explorer(scenario, settings).exhaust()
    print(
        "\(scenario.name): \(outcome.executions) schedules with \(settings.preemptions) preemptions"
            + (staleReads > 0 ? " and \(staleReads) stale reads" : "") + ", \(outcome.longest) steps at most")
    if let finding = outcome.finding {
        Issue.record(Comment(rawValue: "\(finding)"), sourceLocation: location)
    } else if !outcome.isExhausted {
        Issue.record("\(scenario.name) is not exhausted", sourceLocation: location)
    }
}

/// Runs random schedules of a scenario that is too large for all of them: in the gate 2,000, otherwise a million.
func sample(
    _ scenario: Scenario, quick: Int = 2_000, staleReads: Int = 0, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    var settings = Settings()
    settings.staleReads = staleReads
    let outcome = Explorer(scenario, settings).sample(Extent.isFull ? 1_000_000 : quick, seed: 1)
    print("\(scenario.name): \(outcome.executions) random schedules, \(outcome.longest) steps at most")
    if let finding = outcome.finding { Issue.record(Comment(rawValue: "\(finding)"), sourceLocation: location) }
}
#endif
