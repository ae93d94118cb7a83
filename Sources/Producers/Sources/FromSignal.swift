extension SignalProducer {
    /// A producer that observes a signal at each start.
    ///
    /// Values that the signal sends before the start are not received. If the signal has ended, the start receives
    /// ``/HotSignals/Event/interrupted``. Disposing of the start does not affect the signal.
    @inlinable
    public init(_ signal: Signal<Value, Failure>) {
        self.init(StreamName("producer", parent: signal.core), contention: signal.core.gateContention) {
            start, sink in
            // The core shares the signal's gate, so an interruption is serialized with the signal's events.
            let core = signal.core.deriveHead(sink)
            if start.attach(core) { return core.observeUpstream(signal.core) }
            core.cutOff()
            sink.end(.interrupted)
        }
    }
}
