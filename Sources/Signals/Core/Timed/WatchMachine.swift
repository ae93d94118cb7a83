/// Whether a value is being delivered, and whether the source waits. Announced without the lock of the machine.
@usableFromInline
@_fixed_layout
package final class WatchedDelivery: Sendable {
    @usableFromInline package let isInProgress = AtomicWord(0)
    /// How many tasks of the source are suspended by what follows.
    @usableFromInline let waits = AtomicWord(0)

    @_alwaysEmitIntoClient
    package init() {}

    /// Whether the source is not the one that is slow.
    @_alwaysEmitIntoClient
    var isSourceHeldUp: Bool { isInProgress.load() != 0 || waits.load() != 0 }
}

/// Alerts after each interval in which it was not restarted.
///
/// The time for which a value is being delivered is the observer's and does not count. The sink restarts the machine
/// when the delivery is over. The same holds for the time for which what follows suspends the source.
@frozen @usableFromInline
package struct WatchMachine<Failure: Error>: TimedMachine {
    @usableFromInline package let interval: Duration
    /// Sent after the first such interval. If `nil`, the time since the last restart is sent after each.
    @usableFromInline let termination: Termination<Failure>?
    /// Whether the observer receives the alerts, so that the time for which it handles one does not count either.
    @usableFromInline let sendsAlerts: Bool
    @usableFromInline package var delivery: WatchedDelivery?
    @usableFromInline var restarted = Duration.zero
    /// `nil` if the interval has passed during a delivery or a suspension, which is going to restart it.
    @usableFromInline var due: Duration?

    @_alwaysEmitIntoClient
    package init(interval: Duration, termination: Termination<Failure>? = nil, sendsAlerts: Bool = false) {
        self.interval = interval.limitedForSums
        self.termination = termination
        self.sendsAlerts = sendsAlerts
        due = self.interval
    }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { due }

    /// Restarts the interval. A delivery is over.
    @_alwaysEmitIntoClient
    package mutating func receive(_: Void, at now: Duration) -> Never? {
        delivery?.isInProgress.store(0)
        restart(at: now)
        return nil
    }

    @_alwaysEmitIntoClient
    mutating func restart(at now: Duration) {
        restarted = now
        due = now + interval
    }

    @_alwaysEmitIntoClient
    package mutating func end(_: Termination<Failure>, at now: Duration) -> Never? { nil }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Duration, Failure>? {
        guard let due, due <= now else { return nil }
        if let delivery, delivery.isSourceHeldUp {
            self.due = nil
            return nil
        }
        if let termination { return termination.event() }
        self.due = now + interval
        return .next(now - restarted)
    }

    @_alwaysEmitIntoClient
    package mutating func hasDelivered(at now: Duration) {
        if sendsAlerts, due != nil { due = now + interval }
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Never? { nil }
}
