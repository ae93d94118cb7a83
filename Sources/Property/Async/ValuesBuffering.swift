public import HotSignals

extension PropertyProtocol {
    /// The value and its changes as an async sequence.
    ///
    /// Like ``producer``, but for a task that takes the values when it has time for them. The first one is the value at the making of the
    /// iterator.
    ///
    ///     for await title in title.values(buffering: .newest(1)) { await window.show(title) }
    ///
    /// The sequence ends when the property does. The cancellation of the task disposes of the observation, as does letting go of the iterator.
    /// For threads and cancellation see `AsyncValues`.
    ///
    /// - Parameters:
    ///   - policy: What is kept for a consumer that is late; `.newest(1)` for one to whom only the latest value
    ///     matters. Traps if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``next(where:)``
    @inlinable
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Never> {
        policy.check(in: "values", file: file, line: line)
        return producer.values(buffering: policy, file: file, line: line)
    }
}
