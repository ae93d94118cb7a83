extension SignalProducer {
    /// Ends without an error when the source fails. The result cannot fail.
    ///
    /// Like ``/HotSignals/Signal/ignoreErrors(complete:)`` of signals, separately for each start.
    ///
    /// - Parameter complete: Whether an error completes the result. If `false`, it interrupts the result, so that what
    ///   follows a completion, such as the next round of ``repeatForever()``, does not happen.
    @_alwaysEmitIntoClient
    public func ignoreErrors(complete: Bool = true) -> SignalProducer<Value, Never> {
        mapEnd("ignoreErrors") { $0.withoutError(completes: complete) }
    }
}
