extension SignalProducer {
    /// Sends values for as long as something lives, then completes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. If the lifetime has ended, a start completes and begins no work.
    ///
    /// - Parameter lifetime: It is not held.
    @inlinable
    public func take(during lifetime: Lifetime) -> SignalProducer {
        let taking = lift("take(during:)") { $0.take(during: lifetime) }
        return SignalProducer(taking.streamName) { run, sink in
            if lifetime.hasEnded { sink.finish() } else { taking.begin(run, sink) }
        }
    }
}
