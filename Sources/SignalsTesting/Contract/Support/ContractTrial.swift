import HotSignals

/// A check at work on an operator: what it may use, and what it has found.
///
/// What hangs does not hang the check: a wait that takes too long is a violation, and ends the trial.
package final class ContractTrial: Sendable {
    private struct State {
        /// In the order in which they were found first.
        var found: [(details: String, count: Int)] = []
        var isGivenUp = false
        var progress = 0
    }

    package let contract: OperatorContract
    /// How many rounds a race goes on for.
    package let rounds: Int
    /// How many events are sent from inside one another.
    package let depth: Int
    /// How long to wait for what must come.
    package let patience: Duration
    /// Whether the process ends when something hangs.
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

    // MARK: What it finds

    /// Notes a violation unless `condition` holds.
    package func expect(_ condition: Bool, _ details: @autoclosure () -> String) {
        if !condition { fail(details()) }
    }

    /// Notes a violation unless both are equal.
    package func expect<Value: Equatable>(_ got: Value, is expected: Value, _ details: @autoclosure () -> String) {
        if got != expected { fail("\(details()): expected \(shortened(expected)), got \(shortened(got))") }
    }

    package func fail(_ details: String) {
        state.withLock { state in
            // What follows from a wait in vain says nothing.
            if state.isGivenUp { return }
            if let known = state.found.firstIndex(where: { $0.details == details }) {
                state.found[known].count += 1
            } else if state.found.count < 10 {
                state.found.append((details, 1))
            }
        }
    }

    /// Ends the trial, as going on makes no sense.
    package func giveUp(_ details: String) {
        if isTrapping { fatalError("the contract suite hangs: \(details)") }
        fail("hangs: \(details)")
        state.withLock { $0.isGivenUp = true }
    }

    package var isGivenUp: Bool { state.withLock { $0.isGivenUp } }
    /// Whether enough is known: the rounds of a race go on no further.
    package var hasFailed: Bool { state.withLock { !$0.found.isEmpty } }
    package var found: [(details: String, count: Int)] { state.withLock { $0.found } }

    /// To be called now and then, so that what is slow does not look as if it hung.
    package func progress() { state.withLock { $0.progress += 1 } }

    /// Waits for a check to be over, and gives up when it makes no progress any more.
    ///
    /// - Parameter isOver: Waits for a while, and returns whether it is.
    package func watch(_ isOver: () -> Bool) {
        var progress = -1
        while !isOver() {
            let made = state.withLock { $0.progress }
            if made == progress { return giveUp("the check does not return") }
            progress = made
        }
    }

    /// A long list is not read to its end.
    private func shortened<Value>(_ value: Value) -> String {
        let text = "\(value)"
        return text.count <= 300 ? text : "\(text.prefix(300))..."
    }
}
