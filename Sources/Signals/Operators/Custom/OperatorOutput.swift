/// Where a ``StreamOperator`` sends what becomes of an event.
///
/// It exists for the time of a call, and can be neither copied nor kept: so nothing is sent but in turn. What is sent after a
/// terminal event is dropped.
@frozen
public struct OperatorOutput<Value: Sendable, Failure: Error>: ~Copyable {
    /// What lies downstream, in the two forms that there are: operators are specialised in the user's module, and calls through
    /// a protocol would not be.
    @frozen @usableFromInline
    enum Destination {
        case signal(Core<Value, Failure>)
        case start(Run, @Sendable (Event<Value, Failure>) -> Void)
    }

    @usableFromInline let destination: Destination
    /// Whether a terminal event has been sent.
    @usableFromInline var hasSentEnd = false

    /// The output of a hot operator.
    @inlinable
    package init(_ sink: CoreSink<Value, Failure>) { destination = .signal(sink.core) }

    /// The output of an operator in the start of a producer.
    @inlinable
    package init(_ run: Run, _ receive: @escaping @Sendable (Event<Value, Failure>) -> Void) {
        destination = .start(run, receive)
    }

    /// Whether what is sent from now on reaches nobody: the operator has ended its result, or nobody wants more. An operator that
    /// sends many values for one asks before each.
    @inlinable
    public var hasEnded: Bool {
        if hasSentEnd { return true }
        switch destination {
        case .signal(let core): return core.wantsNoMore
        case .start(let run, _): return run.isOver
        }
    }

    /// Sends a value on.
    @inlinable @inline(__always)
    public mutating func sendNext(_ value: Value) {
        if hasSentEnd { return }
        switch destination {
        case .signal(let core): core.deliver(value)
        case .start(_, let receive): receive(.next(value))
        }
    }

    /// Ends the result with an error, and lets go of the source.
    @inlinable
    public mutating func sendError(_ error: Failure) { end(.error(error)) }

    /// Completes the result, and lets go of the source.
    @inlinable
    public mutating func sendCompleted() { end(.completed) }

    /// Interrupts the result, and lets go of the source.
    @inlinable
    public mutating func sendInterrupted() { end(.interrupted) }

    /// Sends any event on.
    @inlinable
    public mutating func send(_ event: Event<Value, Failure>) {
        switch event {
        case .next(let value): sendNext(value)
        case .error(let error): end(.error(error))
        case .completed: end(.completed)
        case .interrupted: end(.interrupted)
        }
    }

    @inlinable
    mutating func end(_ termination: Termination<Failure>) {
        if hasSentEnd { return }
        // Before it goes on: an observer may bring the operator's next event about.
        hasSentEnd = true
        switch destination {
        case .signal(let core): core.deliverEnd(termination)
        // As a `ProducerSink` does.
        case .start(let run, let receive):
            if !run.hasPassedEnd { receive(run.due(termination.event())) }
        }
    }
}
