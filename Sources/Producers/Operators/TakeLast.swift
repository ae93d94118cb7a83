extension SignalProducer {
    /// Sends the last `count` values when the source completes.
    ///
    /// Like ``/HotSignals/Signal/take(last:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The number of values. Traps if negative.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func take(last count: Int, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        require(count >= 0, "take(last: \(count)): the count must not be negative", file: file, line: line)
        return derive("take(last: #)", argument: count) { TakeLastSink(count: count, downstream: $0) }
    }
}
