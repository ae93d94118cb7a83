/// The sink downstream of a producer's source or operator, its type erased: a producer does not know what is applied to it.
@frozen @usableFromInline
package struct ProducerSink<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline package let run: Run
    @usableFromInline let receive: @Sendable (Event<Value, Failure>) -> Void

    @inlinable
    package init(_ run: Run, _ receive: @escaping @Sendable (Event<Value, Failure>) -> Void) {
        self.run = run
        self.receive = receive
    }

    @inlinable @inline(__always)
    package func next(_ value: Value) { receive(.next(value)) }

    /// Nothing, if the end has passed: an operator that ends early, in the middle of an event, does not hear of a second end.
    ///
    /// A run that has been disposed of is interrupted, whatever its source or an operator ends with: what `contains` has found may
    /// dispose of the run, and then `contains` does not complete.
    @inlinable
    package func end(_ termination: Termination<Failure>) {
        if !run.hasPassedEnd { receive(run.due(termination.event())) }
    }

    @inlinable @inline(__always)
    package var hasEnded: Bool { run.isOver }

    /// Ends what a source has sent: see ``end(_:)``.
    @inlinable
    package func finish(_ termination: Termination<Failure> = .completed) {
        end(termination)
    }
}

/// Passes on values for as long as they reach somebody.
@frozen @usableFromInline
struct WantedSink<Value: Sendable, Failure: Error>: OperatorSink {
    @usableFromInline let downstream: ProducerSink<Value, Failure>

    @inlinable
    init(downstream: ProducerSink<Value, Failure>) { self.downstream = downstream }

    @inlinable @inline(__always)
    func next(_ value: Value) {
        if !downstream.hasEnded { downstream.next(value) }
    }
}

extension Sink {
    /// Takes an event.
    @inlinable @inline(__always)
    package func receive(_ event: Event<Value, Failure>) {
        switch event {
        case .next(let value): next(value)
        case .error(let error): end(.error(error))
        case .completed: end(.completed)
        case .interrupted: end(.interrupted)
        }
    }
}

/// The end of a chain: it keeps what comes too late from the observer, and has the run cleaned up after the end.
@frozen @usableFromInline
struct ChainEnd<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let run: Run
    @usableFromInline let action: @Sendable (Event<Value, Failure>) -> Void

    @inlinable
    init(_ run: Run, _ action: @escaping @Sendable (Event<Value, Failure>) -> Void) {
        self.run = run
        self.action = action
    }

    @inlinable @inline(__always)
    func next(_ value: Value) {
        if !run.isOver { action(.next(value)) }
    }

    @inlinable
    func end(_ termination: Termination<Failure>) {
        guard run.raiseEnd() else { return }
        // What has been disposed of is interrupted, whatever an operator makes of that.
        action(run.isCancelled ? .interrupted : termination.event())
        run.finish()
    }

    @inlinable @inline(__always)
    var hasEnded: Bool { run.isOver }

    /// The end of a chain of any type.
    @inlinable
    var erased: ProducerSink<Value, Failure> { ProducerSink(run) { receive($0) } }
}

/// The end of a chain whose observer wants values only: see ``ChainEnd``.
@frozen @usableFromInline
struct ValueChainEnd<Value: Sendable>: Sink {
    @usableFromInline typealias Failure = Never

    @usableFromInline let run: Run
    @usableFromInline let action: @Sendable (Value) -> Void

    @inlinable
    init(_ run: Run, _ action: @escaping @Sendable (Value) -> Void) {
        self.run = run
        self.action = action
    }

    @inlinable @inline(__always)
    func next(_ value: Value) {
        if !run.isOver { action(value) }
    }

    @inlinable
    func end(_ termination: Termination<Never>) { run.cutOff() }

    @inlinable @inline(__always)
    var hasEnded: Bool { run.isOver }

    @inlinable
    var erased: ProducerSink<Value, Never> { ProducerSink(run) { receive($0) } }
}
