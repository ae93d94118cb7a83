extension SignalProducer {
    /// Sends one more value when the source has completed or been interrupted, and then completes.
    ///
    /// Like ``/HotSignals/Signal/concat(value:)`` of signals, separately for each start. Equivalent to `concat` with a
    /// producer of the value. Disposing of the start interrupts it, and the value is not sent.
    ///
    /// - Parameter value: Not sent if the source fails.
    @_alwaysEmitIntoClient
    public func concat(value: Value) -> SignalProducer {
        derive("concat(value:)") { ConcatSink(ending: .value(value), downstream: $0) }
    }

    /// Fails when the source has completed or been interrupted.
    ///
    /// Like ``/HotSignals/Signal/concat(error:)`` of signals, separately for each start. Equivalent to `concat` with a
    /// producer of the error. Disposing of the start interrupts it.
    ///
    /// - Parameter error: Sent in place of the completion or interruption. If the source fails, its own error is sent.
    @_alwaysEmitIntoClient
    public func concat(error: Failure) -> SignalProducer {
        derive("concat(error:)") { ConcatSink(ending: .error(error), downstream: $0) }
    }
}
