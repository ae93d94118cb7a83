#if Explore
/// Runs, in an execution, what the library hands to Dispatch or to Swift's pool.
package enum ExploredBackground {
    /// Runs `body` on its own thread.
    package static func run(_ body: @escaping () -> Void) {
        if let (_, execution) = ExploredThread.active, execution.phase != .checking {
            execution.spawn(isDaemon: false, body)
        } else {
            Crew.shared.run(body)
        }
    }

    /// Whether the caller checks what the threads of an execution have left, while no other thread of it runs.
    package static var isChecking: Bool {
        if let (_, execution) = ExploredThread.active { execution.phase == .checking } else { false }
    }

    /// Returns the only instance of a class in an execution. Outside an execution, returns the only one in the process.
    ///
    /// What a failed execution has left in an instance must not affect the next execution.
    package static func own<Instance: AnyObject>(_ make: () -> Instance) -> Instance {
        let name = ObjectIdentifier(Instance.self)
        if let (_, execution) = ExploredThread.active {
            if let instance = execution.instances[name] { return unsafeDowncast(instance, to: Instance.self) }
            let instance = make()
            execution.instances[name] = instance
            return instance
        }
        Outside.lock()
        let found = instances[name]
        Outside.unlock()
        if let found { return unsafeDowncast(found, to: Instance.self) }
        let made = make()
        Outside.lock()
        defer { Outside.unlock() }
        let instance = instances[name] ?? made
        instances[name] = instance
        return unsafeDowncast(instance, to: Instance.self)
    }

    nonisolated(unsafe) private static var instances: [ObjectIdentifier: AnyObject] = [:]

    /// Notes that the result of the calling thread's segment depends on the order in which threads get here.
    package static func noteOrder() {
        if let (thread, execution) = ExploredThread.active { execution.noteOrder(thread) }
    }

    /// The executor of tasks that have none. `nil` outside an execution.
    package static var executor: ExploredExecutor? { ExploredThread.active?.1.executor }
}
#endif
