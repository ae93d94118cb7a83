public import ReactiveSignals

/// An event and the virtual time at which it was delivered.
public struct TimedEvent<Value: Sendable, Failure: Error>: Sendable {
    /// The time of delivery.
    public let time: TestScheduler.Instant
    /// The event.
    public let event: Event<Value, Failure>

    /// Creates an event with a time.
    public init(_ event: Event<Value, Failure>, at time: TestScheduler.Instant) {
        self.event = event
        self.time = time
    }
}

extension TimedEvent: Equatable where Value: Equatable, Failure: Equatable {}

extension TimedEvent: CustomStringConvertible {
    /// `NEXT 1 at 2.0 seconds`.
    public var description: String { "\(event) at \(time)" }
}
