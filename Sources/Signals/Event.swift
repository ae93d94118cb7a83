/// What a stream sends: any number of values, then at most one of the three terminal events.
///
/// ```text
/// next* (error | completed | interrupted)?
/// ```
///
/// `Value` can be an optional type: `nil` is a value like any other.
@frozen
public enum Event<Value: Sendable, Failure: Error>: Sendable {
    /// A value.
    case next(Value)
    /// The stream failed. No events follow.
    case error(Failure)
    /// The stream ended successfully. No events follow.
    case completed
    /// The stream was given up: disposed of, cancelled, or its sender was released. No events follow.
    case interrupted

    /// Whether this is a terminal event: no events follow it.
    @inlinable
    public var isTerminating: Bool {
        if case .next = self { false } else { true }
    }

    /// Whether this is ``completed``.
    @_alwaysEmitIntoClient
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// The value of ``next(_:)``, otherwise `nil`.
    @_alwaysEmitIntoClient
    public var value: Value? {
        if case .next(let value) = self { value } else { nil }
    }

    /// The error of ``error(_:)``, otherwise `nil`.
    @_alwaysEmitIntoClient
    public var error: Failure? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Returns the event with its value transformed. Terminal events stay unchanged.
    ///
    /// - Parameter transform: Called only for ``next(_:)``.
    @_alwaysEmitIntoClient
    public func map<NewValue>(_ transform: (Value) -> NewValue) -> Event<NewValue, Failure> {
        switch self {
        case .next(let value): .next(transform(value))
        case .error(let error): .error(error)
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }

    /// Returns the event with its error transformed. Other events stay unchanged.
    ///
    /// - Parameter transform: Called only for ``error(_:)``.
    @_alwaysEmitIntoClient
    public func mapError<NewFailure>(_ transform: (Failure) -> NewFailure) -> Event<Value, NewFailure> {
        switch self {
        case .next(let value): .next(value)
        case .error(let error): .error(transform(error))
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }
}

extension Event: Equatable where Value: Equatable, Failure: Equatable {}

extension Event: Hashable where Value: Hashable, Failure: Hashable {}

extension Event: Encodable where Value: Encodable, Failure: Encodable {}

extension Event: Decodable where Value: Decodable, Failure: Decodable {}

extension Event: CustomStringConvertible {
    /// `NEXT` or `ERROR` with the value or error, `COMPLETED`, or `INTERRUPTED`.
    public var description: String {
        switch self {
        case .next(let value): "NEXT \(value)"
        case .error(let error): "ERROR \(error)"
        case .completed: "COMPLETED"
        case .interrupted: "INTERRUPTED"
        }
    }
}
