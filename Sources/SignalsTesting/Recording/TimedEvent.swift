public import ReactiveSignals

/// An event and the moment of virtual time at which it came.
public struct TimedEvent<Value: Sendable, Failure: Error>: Sendable {
    /// When it came.
    public let time: TestScheduler.Instant
    /// What came.
    public let event: Event<Value, Failure>

    /// An event at a moment.
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
