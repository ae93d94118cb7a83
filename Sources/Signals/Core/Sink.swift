/// Where an operator's events go, and what an operator turns into: the operator primitive.
///
/// A unary operator is one generic structure that conforms to this protocol and holds the sink *downstream* of it. What
/// it does is thus written once, for every kind of stream, and a chain of operators is one type that the compiler
/// specialises as a whole. The protocol that its implementations rely on and keep:
///
/// - Calls are serial, and nothing follows ``end(_:)``: the gate of the source sees to it. A sink has no lock.
/// - Ending the downstream disposes of the upstream. A sink that has ended its downstream may still be called until
///   its caller notices, so what it sends then is dropped further down.
/// - State lives in a ``SinkState``, as a sink itself is immutable.
@usableFromInline
package protocol Sink<Value, Failure>: Sendable {
    associatedtype Value: Sendable
    associatedtype Failure: Error

    func next(_ value: Value)
    func end(_ termination: Termination<Failure>)

    /// Whether what is sent from now on reaches nobody. One who sends many values in a row asks before each.
    var hasEnded: Bool { get }
}

/// The sink of an operator, which sends to the one downstream of it.
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
    /// Most operators have nothing to do with the end.
    @inlinable
    package func end(_ termination: Termination<Failure>) { downstream.end(termination) }
}

/// The sink of an operator that does work of its own: it uses a scheduler, or starts inner streams.
///
/// Its result has a gate of its own, because more than the events of one source reach it.
@usableFromInline
package protocol WorkingSink: Sink {
    /// Stops the operator's own work when the result has ended or is about to. Sends nothing, and never waits.
    ///
    /// The closure lives as long as the result. It must not retain what only the events of the source need, such as the
    /// user's closure in `flatMap`: that is released when the source ends.
    var stopWork: @Sendable () -> Void { get }

    func stop()
}

extension WorkingSink {
    @inlinable
    package var stopWork: @Sendable () -> Void { { stop() } }
}

/// The three ways in which a stream ends.
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
}

extension Termination {
    @inlinable
    package var isCompletion: Bool {
        if case .completed = self { true } else { false }
    }
}

extension Termination where Failure == Never {
    /// The same in a stream that could fail.
    @inlinable
    package func promoted<NewFailure>() -> Termination<NewFailure> {
        if case .completed = self { .completed } else { .interrupted }
    }
}

/// A sink's state. The gate of the source serialises every access, so it needs no lock and no exclusivity check.
@usableFromInline
@_fixed_layout
package final class SinkState<State>: @unchecked Sendable {
    // Sendable: only the owner of the gate touches `value`.
    @exclusivity(unchecked) @usableFromInline package final var value: State

    @inlinable
    package init(_ value: State) { self.value = value }
}
