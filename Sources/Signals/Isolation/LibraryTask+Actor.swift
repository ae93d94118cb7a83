extension LibraryTask {
    /// Starts a task on an actor. The task has been enqueued on the actor when this returns.
    ///
    /// A task that hops to the actor after it has started could be overtaken on the way. This one cannot. If the
    /// surroundings have an executor, the task begins on that executor instead, which must therefore be serial.
    ///
    /// - Parameters:
    ///   - actor: `nil` for no actor.
    ///   - priority: An actor runs tasks of higher priority first. If you rely on the order, give all tasks the same
    ///     priority.
    ///   - surroundings: The surroundings of the work that the task belongs to.
    ///   - body: Runs on the actor.
    package static func start(
        on actor: (any Actor)?, priority: TaskPriority, in surroundings: TaskSurroundings? = LibraryTask.surroundings,
        _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
    ) {
        guard let actor, surroundings?.executor == nil else {
            start(priority: priority, in: surroundings) { await body(actor) }
            return
        }
        let tally = surroundings?.tally
        tally?.enter()
        let launch: (isolated any Actor) -> Void = { actor in
            // The closure of the task references the actor, so it inherits the isolation of the closure around it, and
            // the runtime enqueues it on the actor's executor immediately.
            Task(priority: priority) {
                _ = actor
                if captured?.tally != nil || tally != nil {
                    // The task itself is counted. Tasks that its code starts on its own are not, neither in this tally
                    // nor in that of a sender whose event the task happens to carry.
                    await $surroundings.withValue(surroundings?.withoutTally) { await body(actor) }
                } else {
                    await body(actor)
                }
                tally?.leave()
            }
        }
        // Unsafe: only the type claims that `launch` is called on the actor. It accesses no state of the actor, and
        // only creates a task whose code runs on that actor.
        typealias FromAnywhere = (any Actor) -> Void
        withoutActuallyEscaping(launch) { unsafeBitCast($0, to: FromAnywhere.self)(actor) }
    }
}
