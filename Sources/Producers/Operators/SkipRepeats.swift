extension SignalProducer {
    /// Drops each value that repeats the one received just before it.
    ///
    /// Like ``/HotSignals/Signal/skipRepeats(_:)`` of signals, separately for each start.
    ///
    /// - Parameter isRepeat: Receives the previous value and the new one. Called once per value, except for the first.
    @_alwaysEmitIntoClient
    public func skipRepeats(_ isRepeat: @escaping @Sendable (Value, Value) -> Bool) -> SignalProducer {
        derive("skipRepeats:") { SkipRepeatsSink(isRepeat: isRepeat, downstream: $0) }
    }
}

extension SignalProducer where Value: Equatable {
    /// Drops each value that equals the previous one.
    ///
    /// Like ``/HotSignals/Signal/skipRepeats()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func skipRepeats() -> SignalProducer {
        derive("skipRepeats") { SkipRepeatsSink(isRepeat: { $0 == $1 }, downstream: $0) }
    }
}
