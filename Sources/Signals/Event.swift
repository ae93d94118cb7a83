/// What a signal sends: any number of values, then at most one of the three terminal events.
///
/// ```text
/// next* (error | completed | interrupted)?
/// ```
///
/// `Value` may be optional: `nil` is a value like any other.
@frozen
public enum Event<Value: Sendable, Failure: Error>: Sendable {
    /// A value of the stream.
    case next(Value)
    /// The stream failed, and sends no more.
    case error(Failure)
    /// The stream succeeded, and sends no more.
    case completed
    /// The stream was ended from outside, neither failed nor successful; it sends no more.
    case interrupted

    /// Whether nothing comes after this event.
    @inlinable
    public var isTerminating: Bool {
        if case .next = self { false } else { true }
    }

    /// Whether this is ``completed``.
    @inlinable
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// The value of a ``next(_:)``.
    @inlinable
    public var value: Value? {
        if case .next(let value) = self { value } else { nil }
    }

    /// The error of an ``error(_:)``.
    @inlinable
    public var error: Failure? {
        if case .error(let error) = self { error } else { nil }
    }

    /// The event with its value transformed; terminal events stay as they are.
    ///
    /// - Parameter transform: Called for a ``next(_:)`` only.
    @inlinable
    public func map<NewValue>(_ transform: (Value) -> NewValue) -> Event<NewValue, Failure> {
        switch self {
        case .next(let value): .next(transform(value))
        case .error(let error): .error(error)
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }

    /// The event with its error transformed; all others stay as they are.
    ///
    /// - Parameter transform: Called for an ``error(_:)`` only.
    @inlinable
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
    /// `NEXT` or `ERROR` with what it carries, `COMPLETED`, or `INTERRUPTED`.
    public var description: String {
        switch self {
        case .next(let value): "NEXT \(value)"
        case .error(let error): "ERROR \(error)"
        case .completed: "COMPLETED"
        case .interrupted: "INTERRUPTED"
        }
    }
}
