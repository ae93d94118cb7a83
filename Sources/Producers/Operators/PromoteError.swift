extension SignalProducer where Failure == Never {
    /// Gives a stream that cannot fail an error type.
    ///
    /// Like ``/HotSignals/Signal/promoteError(_:)-7k70n`` of signals, separately for each start.
    ///
    /// - Parameter failure: The error type. No error is ever sent.
    @_alwaysEmitIntoClient
    public func promoteError<NewFailure>(
        _ failure: NewFailure.Type = NewFailure.self
    ) -> SignalProducer<Value, NewFailure> {
        mapEnd("promoteError") { $0.promoted() }
    }

    /// Returns this stream unchanged: it cannot fail.
    ///
    /// Like ``/HotSignals/Signal/promoteError(_:)-65yma`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func promoteError(_ failure: Never.Type = Never.self) -> SignalProducer { self }
}

extension SignalProducer {
    /// Returns this stream unchanged: it already has this error type.
    ///
    /// Like ``/HotSignals/Signal/promoteError(_:)-70fym`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func promoteError(_ failure: Failure.Type = Failure.self) -> SignalProducer { self }
}
