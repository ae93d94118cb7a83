extension SignalProducer {
    /// Sends the last `count` values when the source completes.
    ///
    /// Like ``/HotSignals/Signal/take(last:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The number of values. Traps if negative.
    @_alwaysEmitIntoClient
    public func take(last count: Int) -> SignalProducer {
        require(count >= 0, "take(last: \(count)): the count must not be negative")
        return derive("take(last: #)", argument: count) { TakeLastSink(count: count, downstream: $0) }
    }
}
