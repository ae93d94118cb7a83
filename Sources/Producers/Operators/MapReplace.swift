extension SignalProducer {
    /// Sends `value` in place of each value.
    ///
    /// Like ``/HotSignals/Signal/mapReplace(_:)`` of signals, separately for each start.
    ///
    /// - Parameter value: The value to send.
    @_alwaysEmitIntoClient
    public func mapReplace<NewValue: Sendable>(_ value: NewValue) -> SignalProducer<NewValue, Failure> {
        derive("mapReplace:") { MapSink(transform: { _ in value }, downstream: $0) }
    }
}
