import HotSignals

extension SignalProducer {
    /// Starts another producer if this one completes without a value.
    ///
    /// ```marbles
    /// source                         -----|
    /// other                          --8--9--|
    /// source.switchIfEmpty(other)    -------8--9--|
    /// ```
    ///
    /// Otherwise, forwards every event of this producer. Its error or interruption is forwarded, and the other producer
    /// is not started.
    ///
    /// - Parameter other: A producer, which is started at most once per start, or a signal, which is observed from the
    ///   completion on.
    /// - SeeAlso: ``defaultIfEmpty(_:)``
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: some SignalProducerConvertible<Value, Failure>) -> SignalProducer {
        let other = other.producer
        return SignalProducer(
            derivedName("switchIfEmpty:"), contention: contention.joined(with: other.contention)
        ) { _, sink in
            let isEmpty = SinkState(true)
            let first = SerialSubscription<Value, Failure>.Step.begin { serial in
                serial.begin(self) { value in
                    isEmpty.value = false
                    sink.next(value)
                } then: { termination in
                    guard termination.isCompletion, isEmpty.value else { return .end(termination) }
                    return other.step { .end($0) }
                }
            }
            SerialSubscription.run(into: sink, first)
        }
    }

    /// Accepts leading-dot syntax: `switchIfEmpty(.init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: SignalProducer) -> SignalProducer { switchIfEmpty(other) }
}

extension Signal {
    /// Starts a producer if this signal completes without a value: see ``SignalProducer/switchIfEmpty(_:)``.
    ///
    /// - Parameter other: A producer, which is started at most once, or a signal, which is observed from the completion
    ///   on.
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: some SignalProducerConvertible<Value, Failure>) -> Signal {
        let other = other.producer
        return derive("switchIfEmpty:", headed: { SwitchIfEmptySink(core: $0, other: other) })
    }

    /// Accepts leading-dot syntax: `switchIfEmpty(.init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: SignalProducer<Value, Failure>) -> Signal { switchIfEmpty(other) }
}

/// Forwards a signal, and starts a producer if the signal completes without a value.
@usableFromInline
@_fixed_layout
final class SwitchIfEmptySink<Value: Sendable, Failure: Error>: WorkingSink {
    @frozen @usableFromInline
    struct State {
        /// The subscription of the producer.
        @usableFromInline var subscription: Subscription?
        @usableFromInline var hasStopped = false

        @_alwaysEmitIntoClient
        init() {}
    }

    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let other: SignalProducer<Value, Failure>
    @usableFromInline let isEmpty = SinkState(true)
    @usableFromInline let state = Locked(State())
    /// The task context in which this object was created. The producer runs within it.
    @usableFromInline let taskContext = LibraryTask.captured

    @_alwaysEmitIntoClient
    init(core: Core<Value, Failure>, other: SignalProducer<Value, Failure>) {
        self.core = core
        self.other = other
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        isEmpty.value = false
        core.sendNext(value)
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        if termination.isCompletion, isEmpty.value { begin() } else { core.sendEnd(termination) }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { core.terminated.isRaised }

    @_alwaysEmitIntoClient
    func begin() {
        // Counted separately in the caller's counter, because it is cleaned up after the observers have received the
        // terminal event.
        let subscription = Subscription(within: taskContext)
        let hasStopped = state.withLock { state in
            if !state.hasStopped { state.subscription = subscription }
            return state.hasStopped
        }
        if hasStopped { return }
        core.join(other.contention)
        let sink = ProducerSink<Value, Failure>(subscription) { [core] event in
            if case .next(let value) = event.pointee {
                if !subscription.isOver { core.sendNext(value) }
            } else if subscription.raiseEnd() {
                core.send(event.pointee)
                subscription.runCleanups()
            }
        }
        LibraryTask.with(taskContext) { other.beginWork(of: subscription, into: sink) }
    }

    // The closure does not retain the producer.
    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { [state] in Self.stop(state) } }

    @_alwaysEmitIntoClient
    func stop() { Self.stop(state) }

    @_alwaysEmitIntoClient
    static func stop(_ state: Locked<State>) {
        let subscription = state.withLock { state in
            state.hasStopped = true
            return state.subscription.take()
        }
        subscription?.dispose()
    }
}
