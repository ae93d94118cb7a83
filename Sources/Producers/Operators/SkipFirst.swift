extension SignalProducer {
    /// Drops the first `count` values and sends the others.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter count: How many values; 0 drops none; traps if negative.
    @inlinable
    public func skip(first count: Int) -> SignalProducer {
        require(count >= 0, "skip(first: \(count)): the count must not be negative")
        return derive("skip: #", argument: count) { SkipFirstSink(count: count, downstream: $0) }
    }
}
