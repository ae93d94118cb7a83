extension SignalProducer where Failure == Never {
    /// Gives a signal that cannot fail the type of one that could.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter failure: The error that it never sends.
    @inlinable
    public func promoteError<NewFailure>(
        _ failure: NewFailure.Type = NewFailure.self
    ) -> SignalProducer<Value, NewFailure> {
        derive("promoteError") { PromoteErrorSink(downstream: $0) }
    }

    /// This signal, which cannot fail.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    @inlinable
    public func promoteError(_ failure: Never.Type = Never.self) -> SignalProducer { self }
}

extension SignalProducer {
    /// This signal, which fails in that way already.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    @inlinable
    public func promoteError(_ failure: Failure.Type = Failure.self) -> SignalProducer { self }
}
