public import HotSignals

extension SignalProducer {
    /// Starts the work, and waits for the first value.
    ///
    /// Like ``take(first:file:line:)``, but for a task. The work begins at once, on the caller's actor, and is disposed
    /// of when the value has come: that is done when this returns.
    ///
    ///     let user = try await fetchUser(id).first()
    ///
    /// - Returns: The value; nil if the work ends without one, or the task is cancelled, which interrupts the work. In a task that has been
    ///   cancelled nothing is started.
    /// - Throws: The producer's error, if that comes first.
    /// - SeeAlso: ``last()``, ``single()``, ``wait()``, ``values(buffering:file:line:)``
    @inlinable
    public nonisolated(nonsending) func first() async throws(Failure) -> Value? {
        try await take(first: 1).retrieve()?.retrieved()
    }

    /// Starts the work, and blocks the thread until the first value.
    ///
    /// For threads that may be blocked: those of `main` and of tests. In async code it would block a thread that all tasks share; use
    /// ``first()``.
    ///
    /// - Returns: The value; nil if the work ends without one.
    /// - Throws: The producer's error, if that comes first.
    @available(*, noasync, message: "it blocks the thread: use `await first()`")
    @inlinable
    public func blockingFirst() throws(Failure) -> Value? {
        try take(first: 1).blockingRetrieve()?.retrieved()
    }

    /// The blocking form under the name of the one for tasks, for code that is neither `async` nor has heard of the other name.
    @available(*, noasync)
    @available(*, deprecated, renamed: "blockingFirst()")
    @_documentation(visibility: internal)
    public func first() throws(Failure) -> Value? { try blockingFirst() }
}
