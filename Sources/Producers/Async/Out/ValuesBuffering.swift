public import HotSignals

extension SignalProducer {
    /// The values as an async sequence: each iterator starts the producer anew.
    ///
    /// Like `start(_:)`, but for a task that takes the values when it has time for them.
    ///
    ///     for try await line in tail(path).values(buffering: .newest(100)) { print(line) }
    ///
    /// The work begins when the iterator is made, on the thread that makes it. What it sends there and then is kept, as far as the policy
    /// allows, before the first value can be taken; for long synchronous work use ``start(on:)``.
    ///
    /// An error is thrown, after the values that are kept; its type is the producer's. A completion or an interruption ends the
    /// sequence, as does the cancellation of the task, which interrupts the work; so does letting go of the iterator, as `break` does. For
    /// threads and cancellation see `AsyncValues`.
    ///
    /// - Parameters:
    ///   - policy: What is kept for a consumer that is late. Traps if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``events(buffering:file:line:)``, ``first()``, ``collectAll()``
    @inlinable
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Failure> {
        policy.check(in: "values", file: file, line: line)
        return AsyncValues(policy) { handover in start { handover.receive($0) } }
    }
}
