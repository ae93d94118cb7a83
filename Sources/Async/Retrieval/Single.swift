public import ColdProducers
public import HotSignals

extension Signal {
    /// Waits for completion, and returns the value if there was exactly one.
    ///
    /// It does not wait after a second value, but disposes of the observation and returns `nil`.
    ///
    /// - Returns: The only value sent after the call, or `nil` if there is none or more than one, or the signal is
    ///   interrupted or has already ended, or the task is cancelled.
    /// - Throws: The signal's error, unless a second value comes before it.
    /// - SeeAlso: ``first(file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func single(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        let values: Signal<[Value], Failure> = take(first: 2).collect()
        guard let values = try await values.retrieve(at: CodeLocation(file, line))?.retrieved(), values.count == 1
        else { return nil }
        return values[0]
    }
}

extension SignalProducer {
    /// Starts the work, waits for its completion, and returns the value if there was exactly one.
    ///
    /// It does not wait after a second value, but disposes of the work.
    ///
    /// - Returns: The value, or `nil` if there is none or more than one, or the work is interrupted, as it is when the
    ///   task is cancelled.
    /// - Throws: The producer's error, unless a second value comes before it.
    /// - SeeAlso: ``first(file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func single(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        let values: SignalProducer<[Value], Failure> = take(first: 2).collect()
        guard let values = try await values.retrieve(at: CodeLocation(file, line))?.retrieved(), values.count == 1
        else { return nil }
        return values[0]
    }

    /// Starts the work, and blocks the thread until it completes or sends a second value.
    ///
    /// Not for async code: use ``single(file:line:)``.
    ///
    /// - Returns: The value, or `nil` if there is none or more than one, or the work is interrupted.
    /// - Throws: The producer's error, unless a second value comes before it.
    @available(*, noasync, message: "it blocks the thread: use `await single()`")
    @_alwaysEmitIntoClient
    public func blockingSingle(file: StaticString = #fileID, line: UInt = #line) throws(Failure) -> Value? {
        let values: SignalProducer<[Value], Failure> = take(first: 2).collect()
        guard let values = try values.blockingRetrieve(at: CodeLocation(file, line))?.retrieved(), values.count == 1
        else { return nil }
        return values[0]
    }

    /// The blocking form under the name of the async method, for synchronous code.
    @available(*, noasync)
    @available(*, deprecated, renamed: "blockingSingle()")
    @_documentation(visibility: internal)
    public func single(file: StaticString = #fileID, line: UInt = #line) throws(Failure) -> Value? {
        try blockingSingle(file: file, line: line)
    }
}
