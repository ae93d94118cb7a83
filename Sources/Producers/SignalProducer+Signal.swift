extension SignalProducer {
    /// Creates a signal from a start, which several observers can observe before the work begins.
    ///
    /// - Parameter setUp: Receives the signal and a disposable that cancels the work. If it disposes of that, the work
    ///   does not begin, and the observers are interrupted.
    /// - Returns: The result of `setUp`, after the work has begun.
    ///
    /// The work is cancelled when the signal is neither retained nor observed.
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
@usableFromInline
@_fixed_layout
package final class PreparedStart<Value: Sendable, Failure: Error> {
    @usableFromInline let producer: SignalProducer<Value, Failure>
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline package let run: Run
    /// Held until the work begins.
    @usableFromInline var handle: Signal<Value, Failure>?

    @inlinable
    package init(_ producer: SignalProducer<Value, Failure>) {
        self.producer = producer
        core = Core(rootNamed: producer.streamName, contention: producer.contention)
        handle = Signal(core: core)
        // Counted by itself, as it may be cleaned up after whoever waits for the signal has seen the end.
        run = Run(within: LibraryTask.captured)
        // After a terminal event has reached every observer, and when nobody wants the signal any more.
        core.makeLifetime().observeEnded { [run] in run.cutOff() }
    }

    /// What the work will send. To be asked for before it begins.
    @inlinable
    package var signal: Signal<Value, Failure> {
        // Taken in `begin` only.
        handle.unsafelyUnwrapped
    }

    /// No longer holds the signal, if somebody observes it: an operator that has had enough of it before the work begins keeps
    /// it from beginning.
    @inlinable
    package func letGoIfObserved() {
        if core.isObserved { handle = nil }
    }

    /// Begins the work.
    ///
    /// A signal that is observed is not held any more, so that the work is cancelled when its observers have enough. Without an
    /// observer it is held meanwhile: the work is done for the sake of its side effects.
    @inlinable
    package func begin() {
        let unobserved = core.isObserved ? nil : handle
        handle = nil
        withExtendedLifetime(unobserved) {
            guard !run.isOver else { return core.handOverEnd(.interrupted) }
            let (run, core) = (self.run, self.core)
            producer.begin(
                run,
                ProducerSink(run) { event in
                    if !event.isTerminating {
                        if !run.isOver { core.send(event) }
                    } else {
                        core.send(run.isCancelled ? .interrupted : event)
                    }
                })
        }
    }
}
