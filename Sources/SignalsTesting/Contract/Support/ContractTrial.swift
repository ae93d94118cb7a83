import HotSignals

/// A run of a check on an operator: what the check can use, and what it has found.
///
/// A hang does not hang the check: a wait that takes too long is a violation, and ends the trial.
package final class ContractTrial: Sendable {
    private struct State {
        /// In the order in which they were first found.
        var found: [(details: String, count: Int)] = []
        var isGivenUp = false
        var progress = 0
    }

    package let contract: OperatorContract
    /// The number of rounds of a race.
    package let rounds: Int
    /// The number of events sent from inside one another.
    package let depth: Int
    /// How long to wait for an expected event.
    package let patience: Duration
    /// Whether a hang ends the process.
    private let isTrapping: Bool
    private let state = Locked(State())

    package init(
        _ contract: OperatorContract, rounds: Int, depth: Int, patience: Duration, trapping isTrapping: Bool = false
    ) {
        self.contract = contract
        self.rounds = rounds
        self.depth = depth
        self.patience = patience
        self.isTrapping = isTrapping
    }

    package var traits: OperatorTraits { contract.traits }

    // MARK: Findings

    /// Records a violation unless `condition` holds.
    package func expect(_ condition: Bool, _ details: @autoclosure () -> String) {
        if !condition { fail(details()) }
    }

    /// Records a violation unless both values are equal.
    package func expect<Value: Equatable>(_ got: Value, is expected: Value, _ details: @autoclosure () -> String) {
        if got != expected { fail("\(details()): expected \(shortened(expected)), got \(shortened(got))") }
    }

    package func fail(_ details: String) {
        state.withLock { state in
            // Failures that follow from a wait in vain mean nothing.
            if state.isGivenUp { return }
            if let known = state.found.firstIndex(where: { $0.details == details }) {
                state.found[known].count += 1
            } else if state.found.count < 10 {
                state.found.append((details, 1))
            }
        }
    }

    /// Ends the trial, because continuing would be useless.
    package func giveUp(_ details: String) {
        if isTrapping { fatalError("the contract suite hangs: \(details)") }
        fail("hangs: \(details)")
        state.withLock { $0.isGivenUp = true }
    }

    package var isGivenUp: Bool { state.withLock { $0.isGivenUp } }
    /// Whether a violation has been found, so that races need no more rounds.
    package var hasFailed: Bool { state.withLock { !$0.found.isEmpty } }
    package var found: [(details: String, count: Int)] { state.withLock { $0.found } }

    /// Call from time to time, so that a slow check does not look like a hang.
    package func progress() { state.withLock { $0.progress += 1 } }

    /// Waits until a check has ended. Gives up when it makes no more progress.
    ///
    /// - Parameter isOver: Waits for a while, and returns whether the check has ended.
    package func watch(_ isOver: () -> Bool) {
        var progress = -1
        while !isOver() {
            let made = state.withLock { $0.progress }
            if made == progress { return giveUp("the check does not return") }
            progress = made
        }
    }

    /// Shortens a long text, which nobody reads to its end.
    private func shortened<Value>(_ value: Value) -> String {
        let text = "\(value)"
        return text.count <= 300 ? text : "\(text.prefix(300))..."
    }
}
