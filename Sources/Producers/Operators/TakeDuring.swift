extension SignalProducer {
    /// Sends values until a lifetime ends, then completes.
    ///
    /// Like ``/HotSignals/Signal/take(during:)`` of signals, separately for each start. If the lifetime has already
    /// ended, a start completes without beginning any work.
    ///
    /// - Parameter lifetime: Not retained.
    @_alwaysEmitIntoClient
    public func take(during lifetime: Lifetime) -> SignalProducer {
        let name = derivedName("take(during:)")
        return SignalProducer(name, contention: contention, isSuspendable: isSuspendable) { start, downstream in
            if lifetime.hasEnded { return downstream.end(.completed) }
            let core = Core.result(
                named: name, contention: contention, suspendedBy: isSuspendable ? start.senders : nil,
                into: downstream)
            core.makeLifetime() += lifetime.observeEnded { core.handOverEnd(.completed) }
            let source = Start(sourceOf: start)
            source.senders = core.senders
            start.attach(core)
            beginSeparately(source, into: GateSink(core))
        }
    }
}
