extension SignalProducer {
    /// Drops the first `count` values, and sends the others.
    ///
    /// Like ``/HotSignals/Signal/skip(first:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The number of values. With 0, none are dropped. Traps if negative.
    @_alwaysEmitIntoClient
    public func skip(first count: Int) -> SignalProducer {
        require(count >= 0, "skip(first: \(count)): the count must not be negative")
        return derive("skip: #", argument: count) { SkipFirstSink(count: count, downstream: $0) }
    }
}
