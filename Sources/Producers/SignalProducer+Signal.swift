extension SignalProducer {
    /// Makes a signal of a start, and lets several observers have it before the work begins.
    ///
    /// - Parameter setUp: Gets the signal and what cancels the work. If it disposes of that, the work does not begin, and the
    ///   observers are interrupted.
    /// - Returns: What `setUp` returns, when the work has begun.
    ///
    /// The work is cancelled when nobody observes or holds the signal any more.
    @inlinable @discardableResult
    public func startWithSignal<Result>(
        _ setUp: (_ signal: Signal<Value, Failure>, _ interrupter: any Disposable) -> Result
    ) -> Result {
        let start = PreparedStart(self)
        let result = setUp(start.signal, start.run)
        start.begin()
        return result
    }
}

/// A start whose signal there is already, and whose work has not begun.
@frozen @usableFromInline
package struct PreparedStart<Value: Sendable, Failure: Error> {
    @usableFromInline let producer: SignalProducer<Value, Failure>
    @usableFromInline package let signal: Signal<Value, Failure>
    @usableFromInline package let run: Run

    @inlinable
    package init(_ producer: SignalProducer<Value, Failure>) {
        self.producer = producer
        let core = Core<Value, Failure>(rootNamed: producer.streamName, contention: producer.contention)
        signal = Signal(core: core)
        run = Run()
        // After a terminal event has reached every observer, and when nobody wants the signal any more.
        core.makeLifetime().observeEnded { [run] in run.cutOff() }
    }

    /// Begins the work. The signal is held for as long as that takes, so that it is not forgotten before.
    @inlinable
    package func begin() {
        let (run, core) = (self.run, signal.core)
        withExtendedLifetime(signal) {
            guard !run.isOver else { return core.handOverEnd(.interrupted) }
            producer.begin(
                run,
                ProducerSink(run) { event in
                    if case .next = event, run.isOver { return }
                    core.send(event)
                })
        }
    }
}

extension SignalProducer {
    /// What a thread does that finds the producer's events being delivered by another.
    @inlinable
    package var contention: Contention {
        if case .handler(let contention, _) = work { contention } else { .wait }
    }
}
