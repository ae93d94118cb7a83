import HotSignals

extension SignalProducer {
    /// Creates a producer that sends the first value before a start returns, though its source may leave what it sends
    /// to another thread.
    ///
    /// - Parameter begin: Begins the work, which sends what follows the first value, and returns that.
    package static func prompt(
        _ name: StreamName, contention: Contention,
        _ begin: @escaping @Sendable (Start, ProducerSink<Value, Failure>) -> Value?
    ) -> SignalProducer {
        SignalProducer(name, contention: contention) { start, downstream in
            let core = Core.result(named: name, contention: .enqueue, into: downstream)
            let thread = ThreadIdentity.current
            // No other code knows the core yet. What is sent before the gate is left follows the first value.
            _ = core.gate.enterIfIdle(thread)
            let source = Start(sourceOf: start)
            start.attach(core)
            let end = ChainEnd(source, GateSink(core))
            if source.isOver {
                end.end(.interrupted)
            } else if let first = begin(source, end.erased), !start.isOver {
                core.deliver(first)
            }
            core.gate.leave(thread)
        }
    }
}
