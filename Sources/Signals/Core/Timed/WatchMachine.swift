/// Alerts after each interval in which it was not restarted.
@frozen @usableFromInline
package struct WatchMachine<Failure: Error>: TimedMachine {
    @usableFromInline package let interval: Duration
    /// Sent after the first such interval. If `nil`, the time since the last restart is sent after each.
    @usableFromInline let termination: Termination<Failure>?
    @usableFromInline var restarted = Duration.zero
    @usableFromInline var due: Duration

    @inlinable
    package init(interval: Duration, termination: Termination<Failure>? = nil) {
        self.interval = interval
        self.termination = termination
        due = interval
    }

    @inlinable
    package var wakeUp: Duration? { due }

    @inlinable
    package mutating func receive(_: Void, at now: Duration) -> Never? {
        restarted = now
        due = now + interval
        return nil
    }

    @inlinable
    package mutating func end(_: Termination<Failure>, at now: Duration) -> Never? { nil }

    @inlinable
    package mutating func nextEvent(at now: Duration) -> Event<Duration, Failure>? {
        guard due <= now else { return nil }
        if let termination { return termination.event() }
        due = now + interval
        return .next(now - restarted)
    }

    @inlinable
    package mutating func clear() -> Never? { nil }
}
