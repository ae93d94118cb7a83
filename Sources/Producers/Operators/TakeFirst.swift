extension SignalProducer {
    /// Sends the first `count` values, then completes.
    ///
    /// Like ``/HotSignals/Signal/take(first:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The number of values. Traps if negative.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func take(first count: Int, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        require(count >= 0, "take(first: \(count)): the count must not be negative", file: file, line: line)
        if count == 0 { return deriveCompleted("take: #", argument: 0) }
        return derive("take: #", argument: count) { TakeFirstSink(count: count, downstream: $0) }
    }
}
