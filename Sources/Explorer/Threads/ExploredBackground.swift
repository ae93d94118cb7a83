#if Explore
/// Where an execution runs what a library hands to Dispatch or to Swift's pool.
package enum ExploredBackground {
    /// Runs `body` on a thread of its own.
    package static func run(_ body: @escaping () -> Void) {
        if let (_, execution) = ExploredThread.active, execution.phase != .checking {
            execution.spawn(isDaemon: false, body)
        } else {
            Crew.shared.run(body)
        }
    }

    /// Where tasks run that have no executor; nil outside an execution.
    package static var executor: ExploredExecutor? { ExploredThread.active?.1.executor }
}
#endif
