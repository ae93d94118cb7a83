extension SignalProducer {
    /// Sends the last `count` values when the source completes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter count: How many values; traps if negative.
    @inlinable
    public func take(last count: Int) -> SignalProducer {
        require(count >= 0, "take(last: \(count)): the count must not be negative")
        return derive("take(last: #)", argument: count) { TakeLastSink(count: count, downstream: $0) }
    }
}
