/// The last sink of a chain, before what observes it. It drops events that arrive too late for the observer, and cleans
/// up the start after the terminal event.
@frozen @usableFromInline
struct ChainEnd<Observer: Sink>: Sink {
    @usableFromInline let start: Start
    @usableFromInline let observer: Observer

    @inlinable
    init(_ start: Start, _ observer: Observer) {
        self.start = start
        self.observer = observer
    }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Observer.Value) {
        if !start.isOver { observer.next(value) }
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Observer.Failure>) {
        guard start.raiseEnd() else { return }
        // A start that has been disposed of ends with `interrupted`, whatever terminal event the operators send.
        observer.end(start.isCancelled ? .interrupted : termination)
        start.runCleanups()
    }

    @_alwaysEmitIntoClient @inline(__always)
    var hasEnded: Bool { start.isOver }

    /// This sink, type-erased.
    @inlinable
    var erased: ProducerSink<Observer.Value, Observer.Failure> { ProducerSink(erasing: self, start) }
}

// The observers that are one closure. With an event made for each value, values and results would cost three times as
// much.

/// Calls a closure with each event.
@frozen @usableFromInline
struct EventObserver<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let action: @Sendable (Event<Value, Failure>) -> Void

    @inlinable
    init(_ action: @escaping @Sendable (Event<Value, Failure>) -> Void) { self.action = action }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Value) { action(.next(value)) }

    @_alwaysEmitIntoClient @inline(__always)
    func end(_ termination: Termination<Failure>) { action(termination.event()) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { false }
}

/// Calls a closure with each value.
@frozen @usableFromInline
struct ValueObserver<Value: Sendable>: Sink {
    @usableFromInline let action: @Sendable (Value) -> Void

    @_alwaysEmitIntoClient
    init(_ action: @escaping @Sendable (Value) -> Void) { self.action = action }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Value) { action(value) }

    @_alwaysEmitIntoClient @inline(__always)
    func end(_: Termination<Never>) {}

    @_alwaysEmitIntoClient
    var hasEnded: Bool { false }
}

/// Calls a closure with each value, and with the error, as results.
@frozen @usableFromInline
struct ResultObserver<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let action: @Sendable (Result<Value, Failure>) -> Void

    @_alwaysEmitIntoClient
    init(_ action: @escaping @Sendable (Result<Value, Failure>) -> Void) { self.action = action }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Value) { action(.success(value)) }

    @_alwaysEmitIntoClient @inline(__always)
    func end(_ termination: Termination<Failure>) {
        if case .error(let error) = termination { action(.failure(error)) }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { false }
}
