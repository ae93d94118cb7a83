/// Counts work in progress, and lets tasks wait until there is none.
package final class TaskCounter: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    /// Has one count more while this counter is not empty.
    private let outer: TaskCounter?

    package init(within outer: TaskCounter? = nil) { self.outer = outer }

    /// Increments the count.
    package func enter() {
        let isFirst = state.withLock { state in
            state.count += 1
            return state.count == 1
        }
        // A caller that leaves has entered before, so the outer counter never goes below its count.
        if isFirst { outer?.enter() }
    }

    /// Decrements the count, and resumes the waiting tasks if it reaches zero.
    package func leave() {
        let freed: [CheckedContinuation<Void, Never>]? = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? exchange(&state.waiting, with: []) : nil
        }
        guard let freed else { return }
        for continuation in freed { continuation.resume() }
        outer?.leave()
    }

    /// Holds one count until it is given back or released.
    package final class Token: Sendable {
        private let counter: TaskCounter
        private let isBack = AtomicFlag()

        package init(_ counter: TaskCounter) {
            self.counter = counter
            counter.enter()
        }

        deinit { giveBack() }

        package func giveBack() {
            if isBack.raise() { counter.leave() }
        }
    }

    /// Whether the count is zero.
    package var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// Returns when the count is zero, even if the task has been cancelled.
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
