#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting

/// Objects, the operations that a few threads perform on them, and the outcome.
struct System {
    /// The operations of each thread.
    var threads: [[@Sendable () -> Void]] = []
    /// The outcome that an observer can see once all operations have returned.
    var outcome: () -> String
    /// Ends everything that is still running, and checks it.
    var finish: () -> Void = {}
}

/// Explores a system, and expects each outcome to equal that of the same operations performed sequentially in some
/// order.
///
/// - Parameter also: Further correct outcomes, for operations with several parts between which others may occur.
func expectLinearizable(
    _ name: String, preemptions: Int = 1, also: Set<String> = [], fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line, column: Int = #column, make: @escaping @Sendable (Trial) -> System
) {
    let allowed = Outcomes(also)
    // A scenario without threads runs by itself.
    let inTurn = Scenario("\(name), in turn") { trial in
        for order in orders(make(trial).threads.map(\.count)) {
            let system = make(trial)
            var next = system.threads.map { $0.makeIterator() }
            for thread in order { next[thread].next()?() }
            allowed.all.insert(system.outcome())
            system.finish()
        }
    }
    _ = Explorer(inTurn).exhaust()
    let scenario = Scenario(name) { trial in
        let system = make(trial)
        for operations in system.threads {
            trial.thread { for operation in operations { operation() } }
        }
        trial.finally {
            let outcome = system.outcome()
            trial.expect(allowed.all.contains(outcome), "no order of the operations leads to \(outcome)")
            system.finish()
        }
    }
    exhaust(scenario, preemptions: preemptions, fileID: fileID, filePath: filePath, line: line, column: column)
}

private final class Outcomes: @unchecked Sendable {
    var all: Set<String>

    init(_ all: Set<String>) { self.all = all }
}

/// All interleavings of the given numbers of operations per thread, as lists of thread numbers.
private func orders(_ counts: [Int]) -> [[Int]] {
    if counts.allSatisfy({ $0 == 0 }) { return [[]] }
    return counts.indices.filter { counts[$0] > 0 }.flatMap { thread in
        var rest = counts
        rest[thread] -= 1
        return orders(rest).map { [thread] + $0 }
    }
}

extension Recorder {
    /// Disposes of the start that this observer belongs to.
    func cancel(_ start: (any Disposable)?) {
        start?.dispose()
        isCancelled()
    }

    /// The received events as one line.
    var outcome: String { "\(values) \(end.map { "\($0)" } ?? "")" }
}
#endif
