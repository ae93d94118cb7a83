extension SignalProducer {
    /// Sends values until a lifetime ends, then completes.
    ///
    /// Like ``/HotSignals/Signal/take(during:)`` of signals, separately for each start. If the lifetime has already
    /// ended, a start completes without beginning any work.
    ///
    /// - Parameter lifetime: Not retained.
    @inlinable
    public func take(during lifetime: Lifetime) -> SignalProducer {
        let taking = lift("take(during:)") { $0.take(during: lifetime) }
        return SignalProducer(taking.streamName) { subscription, sink in
            if lifetime.hasEnded { sink.end(.completed) } else { taking.beginWork(of: subscription, into: sink) }
        }
    }
}
