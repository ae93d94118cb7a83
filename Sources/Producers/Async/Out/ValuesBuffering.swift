public import HotSignals

extension SignalProducer {
    /// The values as an async sequence: each iterator starts the producer separately.
    ///
    /// Like `start(_:)`, but for a task that takes values at its own pace.
    ///
    /// ```swift
    /// for try await line in tail(path).values(buffering: .newest(100)) { print(line) }
    /// ```
    ///
    /// The work begins when the iterator is created, on the thread that creates it. Values that it sends synchronously
    /// are kept, as far as the policy allows, before you can request the first one. For long synchronous work use
    /// ``start(on:)``.
    ///
    /// An error is thrown after the values that are kept, with the producer's error type. A completion or an
    /// interruption ends the sequence. Cancelling the task also ends it and interrupts the work, and so does releasing
    /// the iterator, as `break` does. For threads and cancellation see `AsyncValues`.
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. Traps if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``events(buffering:file:line:)``, ``first(file:line:)``, ``collectAll(file:line:)``
    @_alwaysEmitIntoClient
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Failure> {
        policy.check(in: "values", canSuspend: isSuspendable)
        return AsyncValues(policy, at: CodeLocation(file, line)) { buffer in
            start(suspendedBy: buffer.senders, at: CodeLocation(file, line), EventBufferSink(buffer))
        }
    }
}
