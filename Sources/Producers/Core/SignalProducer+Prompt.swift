import HotSignals

extension SignalProducer {
    /// Sends the first value before a start returns, even if the start of this producer leaves it to another thread.
    ///
    /// - Parameter first: Returns the first value in that case. The first value of this producer is then dropped.
    package func prompt(_ first: @escaping @Sendable () -> Value) -> SignalProducer {
        SignalProducer(streamName, of: self) { start, downstream in
            let core = Core.result(named: streamName, contention: .enqueue, into: downstream)
            let sink = PromptSink(core)
            let thread = ThreadIdentity.current
            // No other code knows the core yet. What is sent before the gate is left follows the first value.
            _ = core.gate.enterIfIdle(thread)
            beginUpstream(of: start, into: sink, headedBy: core)
            if sink.hasFirst.raise(), !start.isOver { core.deliver(first()) }
            core.gate.leave(thread)
        }
    }
}

private final class PromptSink<Value: Sendable, Failure: Error>: WorkingSink {
    private let core: Core<Value, Failure>
    private let isFirst = SinkState(true)
    /// Raised by the side that supplies the first value: the source, or the start.
    let hasFirst = AtomicFlag()

    init(_ core: Core<Value, Failure>) { self.core = core }

    func next(_ value: Value) {
        let isDropped = isFirst.value && !hasFirst.raise()
        isFirst.value = false
        if !isDropped { core.sendNext(value) }
    }

    func end(_ termination: Termination<Failure>) { core.sendEnd(termination) }

    var hasEnded: Bool { core.terminated.isRaised }

    var stopWork: @Sendable () -> Void { {} }
}
