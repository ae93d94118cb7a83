/// Measures the time since it was created, on the clock of a scheduler.
@frozen @usableFromInline
package struct ElapsedTime: Sendable {
    @frozen @usableFromInline
    enum Clock: Sendable {
        /// A clock of the system, and what it showed in the beginning. Asking the scheduler would give the same.
        case system(SystemClock, origin: Int)
        /// The scheduler's own clock.
        case scheduler(@Sendable () -> Duration)
    }

    @usableFromInline let clock: Clock

    @inlinable
    package init(on scheduler: some DelayScheduler) {
        if let system = Self.systemClock(of: scheduler) {
            clock = .system(system, origin: system.nanoseconds)
        } else {
            let origin = scheduler.now
            clock = .scheduler { origin.duration(to: scheduler.now) }
        }
    }

    @usableFromInline
    static func systemClock(of scheduler: some DelayScheduler) -> SystemClock? {
        (scheduler as? any SystemTimed)?.systemClock
    }

    /// The time since the beginning. Calls the scheduler, so call it under no lock.
    @inlinable
    package var duration: Duration {
        switch clock {
        case .system(let clock, let origin): .nanoseconds(clock.nanoseconds &- origin)
        case .scheduler(let read): read()
        }
    }

    /// The same in attoseconds.
    @_alwaysEmitIntoClient
    package var attoseconds: Int128 {
        switch clock {
        case .system(let clock, let origin): Int128(clock.nanoseconds &- origin) &* 1_000_000_000
        case .scheduler(let read): read().attoseconds
        }
    }
}
