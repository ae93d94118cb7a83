extension SignalProducer {
    /// Drops each value that repeats the one received just before it.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter isRepeat: Gets the last value and the new one; called once a value but for the first.
    @inlinable
    public func skipRepeats(_ isRepeat: @escaping @Sendable (Value, Value) -> Bool) -> SignalProducer {
        derive("skipRepeats:") { SkipRepeatsSink(isRepeat: isRepeat, downstream: $0) }
    }
}

extension SignalProducer where Value: Equatable {
    /// Drops each value that equals the one before it.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    @inlinable
    public func skipRepeats() -> SignalProducer {
        derive("skipRepeats") { SkipRepeatsSink(isRepeat: { $0 == $1 }, downstream: $0) }
    }
}
