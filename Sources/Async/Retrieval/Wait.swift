public import ColdProducers
public import HotSignals

extension Signal {
    /// Waits until the signal terminates.
    ///
    /// - Returns: The terminal event, which is ``/HotSignals/Event/interrupted`` if the signal has already ended or if
    ///   the task is cancelled, which disposes of the observation.
    /// - SeeAlso: ``collectAll(file:line:)``, ``events(buffering:file:line:)``
    @_alwaysEmitIntoClient @discardableResult
    public nonisolated(nonsending) func wait(
        file: StaticString = #fileID, line: UInt = #line
    ) async -> Event<Value, Failure> {
        await retrieve(at: CodeLocation(file, line)) { $0.isTerminating } ?? .interrupted
    }
}

extension SignalProducer {
    /// Starts the work for its side effects, and waits until it terminates.
    ///
    /// When this method returns, everything that the work attached to its lifetime has been disposed of.
    ///
    /// ```swift
    /// guard case .completed = await migration.wait() else { return }
    /// ```
    ///
    /// - Returns: The terminal event, which is `interrupted` if the task is cancelled, because that interrupts the
    ///   work.
    /// - SeeAlso: ``collectAll(file:line:)``, ``events(buffering:file:line:)``
    @_alwaysEmitIntoClient @discardableResult
    public nonisolated(nonsending) func wait(
        file: StaticString = #fileID, line: UInt = #line
    ) async -> Event<Value, Failure> {
        await retrieve(at: CodeLocation(file, line)) { $0.isTerminating } ?? .interrupted
    }

    /// Starts the work, and blocks the thread until it terminates.
    ///
    /// Not for async code: use ``wait(file:line:)``.
    ///
    /// - Returns: The terminal event.
    @available(*, noasync, message: "it blocks the thread: use `await wait()`")
    @_alwaysEmitIntoClient @discardableResult
    public func blockingWait(file: StaticString = #fileID, line: UInt = #line) -> Event<Value, Failure> {
        blockingRetrieve(at: CodeLocation(file, line)) { $0.isTerminating } ?? .interrupted
    }

    /// The blocking form under the name of the async method, for synchronous code.
    @available(*, noasync)
    @available(*, deprecated, renamed: "blockingWait()")
    @_documentation(visibility: internal) @discardableResult
    public func wait(file: StaticString = #fileID, line: UInt = #line) -> Event<Value, Failure> {
        blockingWait(file: file, line: line)
    }
}
