extension SignalProducer {
    /// Sends one more value when the source completes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter value: Sent just before completion; not if the source fails or is interrupted.
    @inlinable
    public func concat(value: Value) -> SignalProducer {
        derive("concat(value:)") { ConcatSink(ending: .value(value), downstream: $0) }
    }

    /// Fails when the source completes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter error: Sent in place of completion.
    @inlinable
    public func concat(error: Failure) -> SignalProducer {
        derive("concat(error:)") { ConcatSink(ending: .error(error), downstream: $0) }
    }
}
