extension SignalProducer {
    /// Sends the first `count` values, then completes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter count: How many values; traps if negative.
    @inlinable
    public func take(first count: Int) -> SignalProducer {
        require(count >= 0, "take(first: \(count)): the count must not be negative")
        if count == 0 { return deriveCompleted("take: #", argument: 0) }
        return derive("take: #", argument: count) { TakeFirstSink(count: count, downstream: $0) }
    }
}
