/// Sends the events of a ``StreamOperator`` downstream.
///
/// Valid only during a call of the operator. It cannot be copied or stored. Events sent after a terminal event are
/// dropped.
@frozen
public struct OperatorOutput<Value: Sendable, Failure: Error>: ~Copyable {
    /// The two possible destinations. An enum rather than a protocol, because operators are specialized in the user's
    /// module and calls through a protocol would not be.
    @frozen @usableFromInline
    enum Destination {
        case signal(Core<Value, Failure>)
        case start(Start, @Sendable (Event<Value, Failure>) -> Void)
    }

    @usableFromInline let destination: Destination
    /// Whether a terminal event has been sent.
    @usableFromInline var hasSentEnd = false

    /// The output of a hot operator.
    @_alwaysEmitIntoClient
    package init(_ sink: CoreSink<Value, Failure>) { destination = .signal(sink.core) }

    /// The output of an operator in the start of a producer.
    @_alwaysEmitIntoClient
    package init(_ start: Start, _ receive: @escaping @Sendable (Event<Value, Failure>) -> Void) {
        destination = .start(start, receive)
    }

    /// Whether events sent from now on are dropped, because the operator has sent a terminal event or nothing
    /// downstream needs more. Check it before each value if you send many values for one event.
    @_alwaysEmitIntoClient
    public var hasEnded: Bool {
        if hasSentEnd { return true }
        switch destination {
        case .signal(let core): return core.wantsNoMore
        case .start(let start, _): return start.isOver
        }
    }

    /// Sends a value.
    @_alwaysEmitIntoClient @inline(__always)
    public mutating func sendNext(_ value: Value) {
        if hasSentEnd { return }
        switch destination {
        case .signal(let core): core.deliver(value)
        case .start(_, let receive): receive(.next(value))
        }
    }

    /// Fails the result, and disposes of the source.
    @_alwaysEmitIntoClient
    public mutating func sendError(_ error: Failure) { end(.error(error)) }

    /// Completes the result, and disposes of the source.
    @_alwaysEmitIntoClient
    public mutating func sendCompleted() { end(.completed) }

    /// Interrupts the result, and disposes of the source.
    @_alwaysEmitIntoClient
    public mutating func sendInterrupted() { end(.interrupted) }

    /// Sends any event.
    @_alwaysEmitIntoClient
    public mutating func send(_ event: Event<Value, Failure>) {
        switch event {
        case .next(let value): sendNext(value)
        case .error(let error): end(.error(error))
        case .completed: end(.completed)
        case .interrupted: end(.interrupted)
        }
    }

    @_alwaysEmitIntoClient
    mutating func end(_ termination: Termination<Failure>) {
        if hasSentEnd { return }
        // Set before the event is delivered, because an observer may cause the operator's next event.
        hasSentEnd = true
        switch destination {
        case .signal(let core): core.deliverEnd(termination)
        // The same as in `ProducerSink`.
        case .start(let start, let receive):
            if !start.hasPassedEnd { receive(start.due(termination.event())) }
        }
    }
}
