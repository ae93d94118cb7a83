/// The type-erased sink downstream of a producer's source or operator. A producer does not know which operators are
/// applied to it.
@frozen @usableFromInline
package struct ProducerSink<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline package let start: Start
    /// Takes an event that is valid during the call.
    // A pointer looks the same in generic and in specialized code. With an event, each stage would begin with a thunk
    // that loads it, and would store it again to pass it on.
    @usableFromInline let receive: @Sendable (UnsafePointer<Event<Value, Failure>>) -> Void

    @inlinable
    package init(
        _ start: Start, _ receive: @escaping @Sendable (UnsafePointer<Event<Value, Failure>>) -> Void
    ) {
        self.start = start
        self.receive = receive
    }

    /// Erases the type of a sink.
    @inlinable @inline(__always)
    package init<S: Sink>(erasing sink: S, _ start: Start) where S.Value == Value, S.Failure == Failure {
        self.init(start) { event in sink.receive(event.pointee) }
    }

    @inlinable @inline(__always)
    package func next(_ value: Value) {
        var event = Event<Value, Failure>.next(value)
        receive(&event)
    }

    /// Sends a terminal event, unless one has already reached the end of the chain. So an operator that terminates
    /// early, while it handles a value, does not receive a second terminal event.
    ///
    /// If the start has been disposed of, the event is `interrupted`, whatever terminal event the source or an
    /// operator sends. For example, the observer may dispose of the start when it receives the value of
    /// `contains`: then `contains` does not complete.
    @inlinable
    package func end(_ termination: Termination<Failure>) {
        if start.hasPassedEnd { return }
        var event: Event<Value, Failure> = start.due(termination.event())
        receive(&event)
    }

    @_alwaysEmitIntoClient @inline(__always)
    package var hasEnded: Bool { start.isOver }
}

/// Forwards values until the start downstream is over. Then a scheduler may still deliver some that were due before.
@frozen @usableFromInline
struct WantedSink<Value: Sendable, Failure: Error>: OperatorSink {
    @usableFromInline let downstream: ProducerSink<Value, Failure>
    /// Called with the values that are dropped.
    @usableFromInline let onDropped: (@Sendable (Value) -> Void)?

    @_alwaysEmitIntoClient
    init(downstream: ProducerSink<Value, Failure>, onDropped: (@Sendable (Value) -> Void)? = nil) {
        self.downstream = downstream
        self.onDropped = onDropped
    }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Value) {
        if downstream.hasEnded { onDropped?(value) } else { downstream.next(value) }
    }
}

extension Core {
    /// Creates the core of an operator's result, which sends into the sink downstream.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the operator delivers all events. Values that are no longer wanted when
    ///     they are delivered are dropped.
    ///   - senders: What suspends the result, if the operator passes suspension on.
    ///   - onDropped: Called with the values that are dropped.
    @_alwaysEmitIntoClient @inline(__always)
    static func result(
        named name: StreamName, contention: Contention, on scheduler: (any Scheduler)? = nil,
        suspendedBy senders: SenderQueue? = nil, into downstream: ProducerSink<Value, Failure>,
        onDropped: (@Sendable (Value) -> Void)? = nil
    ) -> Core {
        let core = Core(rootNamed: name, contention: contention, scheduler: scheduler, senders: senders)
        if scheduler == nil {
            core.adopt(downstream)
        } else {
            core.adopt(WantedSink(downstream: downstream, onDropped: onDropped))
        }
        return core
    }
}
