extension SignalProducer {
    /// Sends a default value if the source completes without a value.
    ///
    /// Like ``/HotSignals/Signal/defaultIfEmpty(_:)`` of signals, separately for each start.
    ///
    /// - Parameter value: Sent at most once per start, before the completion.
    /// - SeeAlso: ``switchIfEmpty(_:)``
    @_alwaysEmitIntoClient
    public func defaultIfEmpty(_ value: Value) -> SignalProducer {
        derive("defaultIfEmpty:") { DefaultIfEmptySink(value: value, downstream: $0) }
    }
}
