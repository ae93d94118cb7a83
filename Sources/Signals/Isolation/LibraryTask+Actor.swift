extension LibraryTask {
    /// Starts a task on an actor. The task has been enqueued on the actor when this returns.
    ///
    /// A task that hops to the actor after it has started could be overtaken on the way. This one cannot. If the
    /// task context has an executor, the task begins on that executor instead, which must therefore be serial.
    ///
    /// - Parameters:
    ///   - actor: `nil` for no actor.
    ///   - priority: An actor runs tasks of higher priority first. If you rely on the order, give all tasks the same
    ///     priority.
    ///   - context: The task context of the work that the task belongs to.
    ///   - body: Runs on the actor.
    package static func start(
        on actor: (any Actor)?, priority: TaskPriority, in context: TaskContext? = LibraryTask.context,
        _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
    ) {
        guard let actor, context?.executor == nil else {
            start(priority: priority, in: context) { await body(actor) }
            return
        }
        let counter = context?.counter
        counter?.enter()
        let launch: (isolated any Actor) -> Void = { actor in
            // The closure of the task references the actor, so it inherits the isolation of the closure around it, and
            // the runtime enqueues it on the actor's executor immediately.
            Task(priority: priority) {
                _ = actor
                if captured?.counter != nil || counter != nil {
                    // The task itself is counted. Tasks that its code starts on its own are not, neither in this
                    // counter nor in that of a sender whose event the task happens to carry.
                    await $context.withValue(context?.withoutCounter) { await body(actor) }
                } else {
                    await body(actor)
                }
                counter?.leave()
            }
        }
        // Unsafe: only the type claims that `launch` is called on the actor. It accesses no state of the actor, and
        // only creates a task whose code runs on that actor.
        typealias FromAnywhere = (any Actor) -> Void
        withoutActuallyEscaping(launch) { unsafeBitCast($0, to: FromAnywhere.self)(actor) }
    }
}
