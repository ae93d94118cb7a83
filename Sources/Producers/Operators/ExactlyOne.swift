extension SignalProducer {
    /// Sends the only value when the source completes, and fails if there is none or more than one.
    ///
    /// Like ``/HotSignals/Signal/exactlyOne(orError:)->Signal<Value,Failure>`` of signals, separately for each start.
    /// Cancels the work with the second value.
    ///
    /// - Parameter error: Sent if the number of values is not one.
    @_alwaysEmitIntoClient
    public func exactlyOne(orError error: Failure) -> SignalProducer {
        derive("exactlyOne(orError:)") { ExactlyOneSink(error: error, downstream: $0) }
    }
}

extension SignalProducer where Failure == Never {
    /// Sends the only value when the source, which cannot fail itself, completes, and fails if there is none or more
    /// than one.
    ///
    /// - Parameter error: Sent if the number of values is not one.
    @_alwaysEmitIntoClient
    public func exactlyOne<NewFailure: Error>(orError error: NewFailure) -> SignalProducer<Value, NewFailure> {
        promoteError(NewFailure.self).exactlyOne(orError: error)
    }
}
