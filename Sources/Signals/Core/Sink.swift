/// The operator primitive: a receiver of events, and the form in which every operator is implemented.
///
/// A unary operator is one generic structure that conforms to this protocol and holds the sink *downstream* of it. So
/// its behavior is written once, for every kind of stream, and a chain of operators is one type that the compiler
/// specializes as a whole. Implementations rely on these rules and follow them:
///
/// - Calls are serial, and nothing follows ``end(_:)``: the gate of the source ensures this, or the thread of a source
///   that sends while it starts. So a sink that only its source calls has no lock.
/// - Ending the downstream disposes of the upstream. A sink that has ended its downstream may still be called until its
///   caller notices. Events that it sends in that time are dropped downstream.
/// - State lives in a ``SinkState``, because a sink is immutable.
@usableFromInline
package protocol Sink<Value, Failure>: Sendable {
    associatedtype Value: Sendable
    associatedtype Failure: Error

    func next(_ value: Value)
    func end(_ termination: Termination<Failure>)

    /// Whether events sent from now on reach nothing. Code that sends many values in a row checks it before each value.
    var hasEnded: Bool { get }
}

extension Sink {
    /// Forwards an event to `next` or `end`.
    // Terminal events are handled here, too. With a call for them, the optimizer inlines two operators of a chain, and
    // without it at least six.
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

/// The sink of an operator, which sends to one sink downstream.
@usableFromInline
package protocol OperatorSink<Downstream>: Sink {
    associatedtype Downstream: Sink
    associatedtype Failure = Downstream.Failure

    var downstream: Downstream { get }
}

extension OperatorSink {
    @inlinable
    package var hasEnded: Bool { downstream.hasEnded }
}

extension OperatorSink where Failure == Downstream.Failure {
    /// Most operators forward the terminal event unchanged.
    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) { downstream.end(termination) }
}

/// The sink of an operator that has work of its own to stop: a scheduler, inner streams or tasks also act on the
/// result.
@usableFromInline
package protocol WorkingSink: Sink {
    /// Stops the operator's own work: the result has ended or is about to end. Sends nothing, and never waits.
    ///
    /// The closure lives as long as the result. It must not retain anything that only the events of the source need,
    /// such as the user's closure in `flatMap`, which is released when the source ends.
    var stopWork: @Sendable () -> Void { get }

    /// What suspends the source, for an operator of producers that has a limit.
    var senders: SenderQueue? { get }

    /// What needs the source, for an operator that sends streams of the source's values. They may outlive the result:
    /// then the operator's work stops with the source, and not with the result.
    var users: SourceUsers? { get }
}

extension WorkingSink {
    @inlinable
    package var users: SourceUsers? { nil }

    @inlinable
    package var senders: SenderQueue? { nil }
}

/// The three kinds of terminal event.
@frozen @usableFromInline
package enum Termination<Failure: Error>: Sendable {
    case error(Failure)
    case completed
    case interrupted

    @inlinable
    package func event<Value>(of _: Value.Type = Value.self) -> Event<Value, Failure> {
        switch self {
        case .error(let error): .error(error)
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }

    /// What an event ends a stream with, or `nil` if it is a value.
    @inlinable
    package init?<Value>(_ event: Event<Value, Failure>) {
        switch event {
        case .next: return nil
        case .error(let error): self = .error(error)
        case .completed: self = .completed
        case .interrupted: self = .interrupted
        }
    }
}

extension Termination {
    @inlinable
    package var isCompletion: Bool {
        if case .completed = self { true } else { false }
    }

    @_alwaysEmitIntoClient
    package func mapError<NewFailure>(_ transform: (Failure) -> NewFailure) -> Termination<NewFailure> {
        switch self {
        case .error(let error): .error(transform(error))
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }

    /// - Parameter completes: Whether an error completes the stream, rather than interrupts it.
    @_alwaysEmitIntoClient
    package func withoutError(completes: Bool = true) -> Termination<Never> {
        switch self {
        case .error: completes ? .completed : .interrupted
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }
}

extension Termination where Failure == Never {
    /// Returns the same termination for a stream that can fail.
    @_alwaysEmitIntoClient
    package func promoted<NewFailure>() -> Termination<NewFailure> {
        if case .completed = self { .completed } else { .interrupted }
    }
}

/// The state of a sink, or of a machine with a second input. Every access is serial, so it needs no lock and no
/// exclusivity check: a sink is called by its source, and a machine in the gate of its result.
@usableFromInline
@_fixed_layout
package final class SinkState<State>: @unchecked Sendable {
    // Sendable: accesses to `value` are serial.
    @exclusivity(unchecked) @usableFromInline package final var value: State

    @inlinable
    package init(_ value: State) { self.value = value }
}
