extension SignalProducer {
    /// Sends the value at an index, then completes.
    ///
    /// Like ``/HotSignals/Signal/element(at:)`` of signals, separately for each start. Cancels the work with
    /// that value.
    ///
    /// - Parameters:
    ///   - index: The number of values before it. Traps if negative.
    @_alwaysEmitIntoClient
    public func element(at index: Int) -> SignalProducer {
        require(index >= 0, "element(at: \(index)): the index must not be negative")
        return derive("element(at: #)", argument: index) {
            SkipFirstSink(count: index, downstream: TakeFirstSink(count: 1, downstream: $0))
        }
    }
}
