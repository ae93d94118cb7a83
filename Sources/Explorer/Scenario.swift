#if Explore
/// A few threads, and what must hold when they have ended.
package struct Scenario: Sendable {
    package let name: String
    let body: @Sendable (Trial) -> Void

    /// - Parameter body: Creates what the threads share, and adds the threads. Runs once per execution, so it must do
    ///   the same each time.
    package init(_ name: String, _ body: @escaping @Sendable (Trial) -> Void) {
        self.name = name
        self.body = body
    }
}

/// One execution of a scenario, as its body sees it.
package final class Trial: @unchecked Sendable {
    // Sendable: only the thread that holds the baton accesses it.
    private unowned let execution: Execution
    private var bodies: [() -> Void] = []
    private var checks: [() -> Void] = []
    private var alive = 0
    private(set) var failures: [String] = []
    private var outcomes: [Outcome] = []

    init(_ execution: Execution) { self.execution = execution }

    /// Adds a thread.
    package func thread(_ body: @escaping @Sendable () -> Void) { bodies.append(body) }

    /// Adds a check that runs when all threads have ended.
    package func finally(_ check: @escaping () -> Void) { checks.append(check) }

    /// Adds a part to the outcome of an execution, which ``Exploration/outcomes`` contains. Returns `nil` if outcomes
    /// are not collected.
    package func outcome() -> Outcome? {
        if !execution.settings.collectsOutcomes { return nil }
        let outcome = Outcome()
        outcomes.append(outcome)
        return outcome
    }

    /// A part of the outcome of an execution.
    package final class Outcome: @unchecked Sendable {
        // Sendable: only one thread of an execution runs at a time.
        package var text = ""
    }

    var wholeOutcome: String { outcomes.map(\.text).joined(separator: "; ") }

    /// Records a failure unless `condition` holds.
    package func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { failures.append(message()) }
    }

    /// Returns an object that must have been released when the threads have ended and the checks have run.
    package func token() -> Token { Token(self) }

    /// State of a scenario that several threads use. Call ``touch()`` wherever one of them reads or writes it.
    ///
    /// It needs no lock, because one thread runs at a time. But an exploration that leaves out equivalent schedules has
    /// to know that the order of these accesses matters.
    package final class State: @unchecked Sendable {
        // Sendable: only one thread of an execution runs at a time.
        private let place = Place()

        package init() {}

        package func touch() {
            guard let (thread, execution) = ExploredThread.active else { return }
            execution.access(place, thread, isWrite: true)
        }
    }

    /// Lets another thread continue here, as could happen between any two instructions.
    package func pause() { ExploredThread.current?.step(.pause) }

    /// Returns a mark of the calling thread's current moment.
    package func mark() -> Mark? {
        guard let thread = ExploredThread.current else { return nil }
        thread.tick()
        return Mark(thread: thread.number, step: thread.knowledge.clock[thread.number])
    }

    /// Whether the calling thread's current step comes after a mark.
    ///
    /// With weak memory, that is the case only if the thread has learned of the mark: a load that returns an old store
    /// counts as made earlier.
    package func isAfter(_ mark: Mark) -> Bool {
        guard let thread = ExploredThread.current, execution.hasWeakMemory else { return true }
        return thread.knowledge.clock[mark.thread] >= mark.step
    }

    package struct Mark: Sendable {
        let thread: Int
        let step: UInt32
    }

    package final class Token: Sendable {
        private let trial: Trial

        fileprivate init(_ trial: Trial) {
            self.trial = trial
            trial.alive += 1
        }

        deinit { trial.alive -= 1 }

        /// For closures, which retain a token by mentioning it.
        package func touch() {}
    }

    func takeBodies() -> [() -> Void] {
        defer { bodies = [] }
        return bodies
    }

    func check() {
        for check in checks { check() }
        checks = []
        if alive > 0 { failures.append("\(alive) of the tokens are still held") }
    }
}
#endif
