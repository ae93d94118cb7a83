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

    /// The one instance of a class that an execution has; outside an execution, the one of the process.
    ///
    /// What an execution that failed has left in it must not meet the next one.
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

    /// Where tasks run that have no executor; nil outside an execution.
    package static var executor: ExploredExecutor? { ExploredThread.active?.1.executor }
}
#endif
