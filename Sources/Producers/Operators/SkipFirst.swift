extension SignalProducer {
    /// Drops the first `count` values, and sends the others.
    ///
    /// Like ``/HotSignals/Signal/skip(first:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The number of values. With 0, none are dropped. Traps if negative.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func skip(first count: Int, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        require(count >= 0, "skip(first: \(count)): the count must not be negative", file: file, line: line)
        return derive("skip: #", argument: count) { SkipFirstSink(count: count, downstream: $0) }
    }
}
