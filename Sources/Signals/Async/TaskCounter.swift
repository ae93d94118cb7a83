/// Counts work in progress, and says when there is none.
package final class TaskCounter: Sendable {
    private struct State {
        var count = 0
        var actions: [@Sendable () -> Void] = []
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

    /// Decrements the count. If it reaches zero, what waits for that follows.
    package func leave() {
        let actions: [@Sendable () -> Void]? = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? exchange(&state.actions, with: []) : nil
        }
        guard let actions else { return }
        for action in actions { action() }
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

    package var count: Int { state.withLock { $0.count } }

    /// Whether the count is zero.
    package var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// Runs `action` when the count is zero: now, or on the thread that makes it zero, outside the lock.
    package func whenEmpty(_ action: @escaping @Sendable () -> Void) {
        let isEmpty = state.withLock { state in
            if state.count > 0 { state.actions.append(action) }
            return state.count == 0
        }
        if isEmpty { action() }
    }

    /// Returns when the count is zero, even if the task has been cancelled.
    package func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in whenEmpty { continuation.resume() } }
    }
}
