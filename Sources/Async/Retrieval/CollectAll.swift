public import ColdProducers
public import HotSignals

extension Signal {
    /// Waits for completion, and returns all values sent after the call.
    ///
    /// Like ``/HotSignals/Signal/collect()``, but for a task. Buffers every value.
    ///
    /// - Returns: The values, in order, or `[]` if there were none. `nil` if the signal is interrupted or has already
    ///   ended, or if the task is cancelled, which disposes of the observation: values received until then are
    ///   discarded.
    /// - Throws: The signal's error.
    /// - SeeAlso: ``last(file:line:)``, ``values(buffering:file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func collectAll(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> [Value]? {
        let values: Signal<[Value], Failure> = collect()
        return try await values.retrieve(at: CodeLocation(file, line))?.retrieved()
    }
}

extension SignalProducer {
    /// Starts the work, waits for its completion, and returns all values.
    ///
    /// Like ``/ColdProducers/SignalProducer/collect()``, but for a task. Buffers every value.
    ///
    /// - Returns: The values, in order, or `[]` if there were none. `nil` if the work is interrupted, as it is when the
    ///   task is cancelled: values received until then are discarded.
    /// - Throws: The producer's error.
    /// - SeeAlso: ``last(file:line:)``, ``values(buffering:file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func collectAll(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> [Value]? {
        let values: SignalProducer<[Value], Failure> = collect()
        return try await values.retrieve(at: CodeLocation(file, line))?.retrieved()
    }

    /// Starts the work, and blocks the thread until it completes.
    ///
    /// Not for async code: use ``collectAll(file:line:)``.
    ///
    /// - Returns: The values, in order, or `[]` if there were none. `nil` if the work is interrupted.
    /// - Throws: The producer's error.
    @available(*, noasync, message: "it blocks the thread: use `await collectAll()`")
    @_alwaysEmitIntoClient
    public func blockingCollect(file: StaticString = #fileID, line: UInt = #line) throws(Failure) -> [Value]? {
        let values: SignalProducer<[Value], Failure> = collect()
        return try values.blockingRetrieve(at: CodeLocation(file, line))?.retrieved()
    }
}
