public import ColdProducers
public import HotSignals

extension Signal {
    /// Waits for the next value.
    ///
    /// Like ``/HotSignals/Signal/take(first:)``, but for a task. The signal is observed immediately, on the caller's
    /// actor, and only until the value has arrived.
    ///
    /// ```swift
    /// let reply = try await replies.filter { $0.id == id }.first()
    /// ```
    ///
    /// - Returns: The value, or `nil` if the signal ends without one or has already ended, or the task is cancelled.
    /// - Throws: The signal's error, if that comes first.
    /// - SeeAlso: ``last(file:line:)``, ``single(file:line:)``, ``wait(file:line:)``, ``values(buffering:file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func first(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        try await take(first: 1).retrieve(at: CodeLocation(file, line))?.retrieved()
    }
}

extension SignalProducer {
    /// Starts the work, and waits for the first value.
    ///
    /// Like ``/ColdProducers/SignalProducer/take(first:)``, but for a task. The work begins immediately, on the
    /// caller's actor. When the value has arrived, the work is disposed of before this method returns.
    ///
    /// ```swift
    /// let user = try await fetchUser(id).first()
    /// ```
    ///
    /// - Returns: The value, or `nil` if the work ends without one or the task is cancelled, which interrupts the work.
    ///   In a task that is already cancelled, nothing is started.
    /// - Throws: The producer's error, if that comes first.
    /// - SeeAlso: ``last(file:line:)``, ``single(file:line:)``, ``wait(file:line:)``, ``values(buffering:file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func first(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        try await take(first: 1).retrieve(at: CodeLocation(file, line))?.retrieved()
    }

    /// Starts the work, and blocks the thread until the first value.
    ///
    /// For threads that are allowed to block: those of `main` and of tests. In async code it would block a thread that
    /// all tasks share: use ``first(file:line:)``.
    ///
    /// - Returns: The value, or `nil` if the work ends without one.
    /// - Throws: The producer's error, if that comes first.
    @available(*, noasync, message: "it blocks the thread: use `await first()`")
    @_alwaysEmitIntoClient
    public func blockingFirst(file: StaticString = #fileID, line: UInt = #line) throws(Failure) -> Value? {
        try take(first: 1).blockingRetrieve(at: CodeLocation(file, line))?.retrieved()
    }

    /// The blocking form under the name of the async method, for synchronous code.
    @available(*, noasync)
    @available(*, deprecated, renamed: "blockingFirst()")
    @_documentation(visibility: internal)
    public func first(file: StaticString = #fileID, line: UInt = #line) throws(Failure) -> Value? {
        try blockingFirst(file: file, line: line)
    }
}
