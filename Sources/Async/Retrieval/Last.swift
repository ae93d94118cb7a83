public import ColdProducers
public import HotSignals

extension Signal {
    /// Waits for completion, and returns the last value sent before it.
    ///
    /// Like ``/HotSignals/Signal/take(last:)``, but for a task. Counts values sent after the call.
    ///
    /// - Returns: The value, or `nil` if there was none, or the signal is interrupted or has already ended, or the task
    ///   is cancelled, which disposes of the observation.
    /// - Throws: The signal's error.
    /// - SeeAlso: ``first(file:line:)``, ``collectAll(file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func last(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        try await take(last: 1).retrieve(at: CodeLocation(file, line))?.retrieved()
    }
}

extension SignalProducer {
    /// Starts the work, waits for its completion, and returns the last value.
    ///
    /// Like ``/ColdProducers/SignalProducer/take(last:)``, but for a task.
    ///
    /// - Returns: The value, or `nil` if there was none or the work is interrupted, as it is when the task is
    ///   cancelled.
    /// - Throws: The producer's error.
    /// - SeeAlso: ``first(file:line:)``, ``collectAll(file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func last(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        try await take(last: 1).retrieve(at: CodeLocation(file, line))?.retrieved()
    }

    /// Starts the work, and blocks the thread until it completes.
    ///
    /// Not for async code: use ``last(file:line:)``.
    ///
    /// - Returns: The last value, or `nil` if there was none or the work is interrupted.
    /// - Throws: The producer's error.
    @available(*, noasync, message: "it blocks the thread: use `await last()`")
    @_alwaysEmitIntoClient
    public func blockingLast(file: StaticString = #fileID, line: UInt = #line) throws(Failure) -> Value? {
        try take(last: 1).blockingRetrieve(at: CodeLocation(file, line))?.retrieved()
    }

    /// The blocking form under the name of the async method, for synchronous code.
    @available(*, noasync)
    @available(*, deprecated, renamed: "blockingLast()")
    @_documentation(visibility: internal)
    public func last(file: StaticString = #fileID, line: UInt = #line) throws(Failure) -> Value? {
        try blockingLast(file: file, line: line)
    }
}
