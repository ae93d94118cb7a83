public import HotSignals

extension PropertyProtocol {
    /// The value and its changes as an async sequence.
    ///
    /// Like ``producer``, but for a task that takes values at its own pace. The first value is the one at the creation
    /// of the iterator.
    ///
    /// ```swift
    /// for await title in title.values(buffering: .newest(1)) { await window.show(title) }
    /// ```
    ///
    /// The sequence ends with the property. Cancelling the task or releasing the iterator disposes of the observation.
    /// For threads and cancellation see `AsyncValues`.
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. Use `.newest(1)` if only the latest value matters. Traps
    ///     if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``next(where:)``
    @_alwaysEmitIntoClient
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Never> {
        policy.check(in: "values")
        return producer.values(buffering: policy, file: file, line: line)
    }
}
