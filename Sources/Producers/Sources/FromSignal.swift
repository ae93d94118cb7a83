extension SignalProducer {
    /// A producer whose start observes a signal.
    ///
    /// What the signal sends before the start is missed. One that has ended gives ``/HotSignals/Event/interrupted``. Disposing of the
    /// start leaves the signal as it is.
    @inlinable
    public init(_ signal: Signal<Value, Failure>) {
        self.init(StreamName("producer", parent: signal.core), contention: signal.core.gateContention) { run, sink in
            // It shares the gate of the signal: an interruption is in turn with the signal's events.
            let core = signal.core.deriveHead(sink)
            if run.attach(core) { return core.observeUpstream(signal.core) }
            core.cutOff()
            sink.finish(.interrupted)
        }
    }
}
