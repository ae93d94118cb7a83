extension SignalProducer {
    /// Creates a signal from a start, which several observers can observe before the work begins.
    ///
    /// - Parameters:
    ///   - setUp: Receives the signal and a disposable that cancels the work. If it disposes of that, the work
    ///     does not begin, and the observers are interrupted.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    /// - Returns: The result of `setUp`, after the work has begun.
    ///
    /// The work is cancelled when the signal is neither retained nor observed.
    @inlinable @discardableResult
    public func startWithSignal<Result>(
        file: StaticString = #fileID, line: UInt = #line,
        _ setUp: (_ signal: Signal<Value, Failure>, _ interrupter: any Disposable) -> Result
    ) -> Result {
        let start = PreparedStart(self, startedAt: CodeLocation(file, line))
        let result = setUp(start.signal, start.run)
        start.begin()
        return result
    }
}

/// A start whose signal already exists and whose work has not begun.
@usableFromInline
@_fixed_layout
package final class PreparedStart<Value: Sendable, Failure: Error> {
    @usableFromInline let producer: SignalProducer<Value, Failure>
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline package let run: Run
    /// Retained until the work begins.
    @usableFromInline var handle: Signal<Value, Failure>?

    @inlinable
    package init(
        _ producer: SignalProducer<Value, Failure>, startedAt location: CodeLocation = .unknown
    ) {
        self.producer = producer
        // Counted separately in the caller's tally, because it may be cleaned up after the observers of the signal have
        // received the terminal event.
        run = Run(within: LibraryTask.captured, startedAt: location)
        core = Core(
            rootNamed: producer.streamName, contention: producer.contention, scheduler: StartScheduler(of: run))
        handle = Signal(core: core)
        // The lifetime ends after a terminal event has reached every observer, or when the signal is neither retained
        // nor observed.
        core.makeLifetime().observeEnded { [run] in run.cutOff() }
    }

    /// The signal on which the work sends. Access it only before the work begins.
    @inlinable
    package var signal: Signal<Value, Failure> {
        // Set to `nil` only by `letGoIfObserved` and `begin`.
        handle.unsafelyUnwrapped
    }

    /// Releases the signal if it is observed. If an operator then terminates the observation before the work begins,
    /// the work does not begin.
    @inlinable
    package func letGoIfObserved() {
        if core.isObserved { handle = nil }
    }

    /// Begins the work.
    ///
    /// An observed signal is no longer retained, so that the work is cancelled when its observers need no more. A
    /// signal without an observer is retained while the work begins: the work runs for its side effects.
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
                    if case .next(let value) = event.pointee {
                        if !run.isOver { core.sendNext(value) }
                    } else {
                        core.send(run.isCancelled ? .interrupted : event.pointee)
                    }
                })
        }
    }
}
