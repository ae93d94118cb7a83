extension LibraryTask {
    /// Starts a task on an actor: it is put at the end of what waits for the actor before this returns.
    ///
    /// A task that hopped to the actor once it runs could be overtaken on its way; this one cannot. Only where the surroundings have an
    /// executor it begins there, so that is to be a serial one.
    ///
    /// - Parameters:
    ///   - actor: Nil for no actor.
    ///   - priority: An actor runs what has more of it first. Whoever relies on the order gives all of its tasks the same.
    ///   - surroundings: Those of the work that the task belongs to.
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
            // Its closure has the isolation of the closure around it, as it mentions the actor, so the runtime puts it on the
            // actor's executor straight away.
            Task(priority: priority) {
                _ = actor
                if captured?.tally != nil || tally != nil {
                    // The task itself is counted. What the code in it starts of its own accord is not, and nor does anything of it
                    // count for those whose event it happens to carry.
                    await $surroundings.withValue(surroundings?.withoutTally) { await body(actor) }
                } else {
                    await body(actor)
                }
                tally?.leave()
            }
        }
        // Unsafe: only the type says that `launch` is called on the actor. It touches nothing of the actor's, and does no more than
        // make a task whose code is that actor's.
        typealias FromAnywhere = (any Actor) -> Void
        withoutActuallyEscaping(launch) { unsafeBitCast($0, to: FromAnywhere.self)(actor) }
    }
}
