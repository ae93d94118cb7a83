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
    @_alwaysEmitIntoClient @discardableResult
    public func startWithSignal<Result>(
        file: StaticString = #fileID, line: UInt = #line,
        _ setUp: (_ signal: Signal<Value, Failure>, _ interrupter: any Disposable) -> Result
    ) -> Result {
        // Counted separately in the caller's counter, because it may be cleaned up after the observers of the signal
        // have received the terminal event.
        let start = PreparedStart(
            self, Start(within: LibraryTask.captured, startedAt: CodeLocation(file, line)))
        let result = setUp(start.signal, start.start)
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
    @usableFromInline package let start: Start
    /// Retained until the work begins.
    @usableFromInline var handle: Signal<Value, Failure>?

    @_alwaysEmitIntoClient
    package init(_ producer: SignalProducer<Value, Failure>, _ start: Start) {
        self.producer = producer
        self.start = start
        core = Core(rootNamed: producer.streamName, contention: producer.contention)
        handle = Signal(core: core)
        // The lifetime ends after a terminal event has reached every observer, or when the signal is neither retained
        // nor observed.
        core.makeLifetime().observeEnded { [start] in start.cutOff() }
    }

    /// The signal on which the work sends. Access it only before the work begins.
    @_alwaysEmitIntoClient
    package var signal: Signal<Value, Failure> {
        // Set to `nil` only by `releaseIfObserved` and `begin`.
        handle.unsafelyUnwrapped
    }

    /// Releases the signal if it is observed. If an operator then terminates the observation before the work begins,
    /// the work does not begin.
    @_alwaysEmitIntoClient
    package func releaseIfObserved() {
        if core.isObserved { handle = nil }
    }

    /// Begins the work.
    ///
    /// An observed signal is no longer retained, so that the work is cancelled when its observers need no more. A
    /// signal without an observer is retained while the work begins: the work runs for its side effects.
    @_alwaysEmitIntoClient
    package func begin() {
        let unobserved = core.isObserved ? nil : handle
        handle = nil
        withExtendedLifetime(unobserved) {
            guard !start.isOver else { return core.handOverEnd(.interrupted) }
            let (start, core) = (self.start, self.core)
            producer.beginWork(
                of: start,
                into: ProducerSink(start) { event in
                    if case .next(let value) = event.pointee {
                        if !start.isOver { core.sendNext(value) }
                    } else {
                        core.send(start.isCancelled ? .interrupted : event.pointee)
                    }
                })
        }
    }
}
