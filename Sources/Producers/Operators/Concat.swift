extension SignalProducer {
    /// Sends one more value when the source has completed or been interrupted, and then completes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, separately for each start; the same as to `concat` a producer of the value.
    /// Disposal of the start interrupts, and the value is not sent.
    ///
    /// - Parameter value: Not sent if the source fails.
    @inlinable
    public func concat(value: Value) -> SignalProducer {
        derive("concat(value:)") { ConcatSink(ending: .value(value), downstream: $0) }
    }

    /// Fails when the source has completed or been interrupted.
    ///
    /// Like the operator on ``/HotSignals/Signal``, separately for each start; the same as to `concat` a producer of the error.
    /// Disposal of the start interrupts.
    ///
    /// - Parameter error: Sent in place of the end of the source. If the source fails, its own error is sent.
    @inlinable
    public func concat(error: Failure) -> SignalProducer {
        derive("concat(error:)") { ConcatSink(ending: .error(error), downstream: $0) }
    }
}
