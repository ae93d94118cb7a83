/// Counts what is under way, and lets tasks wait until nothing is.
package final class TaskTally: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Counts one thing more.
    package func enter() { state.withLock { $0.count += 1 } }

    /// Counts one thing less, and lets those go on that wait, if it was the last one.
    package func leave() {
        let freed = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? exchange(&state.waiting, with: []) : []
        }
        for continuation in freed { continuation.resume() }
    }

    /// Counts one thing, until it is given back or released.
    package final class Pass: Sendable {
        private let tally: TaskTally
        private let isBack = AtomicFlag()

        package init(_ tally: TaskTally) {
            self.tally = tally
            tally.enter()
        }

        deinit { giveBack() }

        package func giveBack() {
            if isBack.raise() { tally.leave() }
        }
    }

    /// Whether nothing is under way.
    package var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// Returns when nothing is under way, though the task be cancelled.
    package func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count == 0
            }
            if isEmpty { continuation.resume() }
        }
    }
}

/// Replaces a value and returns the former one.
private func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
    defer { place = value }
    return place
}
