extension SignalProducer {
    /// Sends the first `count` values, then completes.
    ///
    /// Like ``/HotSignals/Signal/take(first:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The number of values. Traps if negative.
    @_alwaysEmitIntoClient
    public func take(first count: Int) -> SignalProducer {
        require(count >= 0, "take(first: \(count)): the count must not be negative")
        if count == 0 { return deriveCompleted("take: #", argument: 0) }
        return derive("take: #", argument: count) { TakeFirstSink(count: count, downstream: $0) }
    }
}
