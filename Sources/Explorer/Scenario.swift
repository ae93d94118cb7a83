#if Explore
/// A few threads and what must hold when they have ended.
package struct Scenario: Sendable {
    package let name: String
    let body: @Sendable (Trial) -> Void

    /// - Parameter body: Makes what the threads share, and adds the threads. Runs once for each execution, so it must
    ///   do the same each time.
    package init(_ name: String, _ body: @escaping @Sendable (Trial) -> Void) {
        self.name = name
        self.body = body
    }
}

/// What a scenario makes of one execution.
package final class Trial: @unchecked Sendable {
    // Sendable: only the thread with the baton touches it.
    private unowned let execution: Execution
    private var bodies: [() -> Void] = []
    private var checks: [() -> Void] = []
    private var alive = 0
    private(set) var failures: [String] = []

    init(_ execution: Execution) { self.execution = execution }

    /// Adds a thread.
    package func thread(_ body: @escaping @Sendable () -> Void) { bodies.append(body) }

    /// Adds what runs when all threads have ended.
    package func finally(_ check: @escaping () -> Void) { checks.append(check) }

    /// Notes a failure unless `condition` holds.
    package func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { failures.append(message()) }
    }

    /// An object that must be gone when the threads have ended and the checks have run.
    package func token() -> Token { Token(self) }

    /// Lets another thread go on here, as it might between any two instructions.
    package func pause() { ExploredThread.current?.step(.pause) }

    /// A moment of the calling thread.
    package func mark() -> Mark? {
        guard let thread = ExploredThread.current else { return nil }
        thread.tick()
        return Mark(thread: thread.number, step: thread.knowledge.clock[thread.number])
    }

    /// Whether what the calling thread does comes after a moment.
    ///
    /// With weak memory that is so only if it has learned of it: a load that returns an old store is one that was made
    /// earlier.
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

        /// For closures, which hold a token by mentioning it.
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
