package import ReactiveSignals

/// Log lines on their way to a slow disk. No caller waits for them.
package struct AccessLog: Sendable {
    private let input: Signal<String, Never>.Observer

    /// - Parameters:
    ///   - capacity: How many lines can wait. If there are more, the oldest ones are dropped.
    ///   - scheduler: Calls `write`, which can block.
    package init(capacity: Int, on scheduler: some Scheduler, write: @escaping @Sendable (String) -> Void) {
        let (lines, input) = Signal<String, Never>.pipe(contention: .enqueue)
        self.input = input
        lines.buffer(upTo: capacity, whenFull: .dropOldest, on: scheduler)
            .observeNext(write)
    }

    /// Never waits.
    package func add(_ line: String) { input.sendNext(line) }
}
