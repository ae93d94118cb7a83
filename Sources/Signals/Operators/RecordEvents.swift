extension Signal {
    /// Stores the last events and their times, to be read at any time.
    ///
    /// ```swift
    /// let (orders, input) = Signal<String, Never>.pipe()
    /// let history = orders.recordEvents(last: 100)
    /// input.sendNext("tea")
    /// print(history.entries.count)  // prints 1
    /// ```
    ///
    /// The history is an observer. It records until it is released or the signal ends, and can be read after that. It
    /// retains up to `count` values.
    ///
    /// - Parameters:
    ///   - count: How many events are stored. Traps unless positive.
    /// - SeeAlso: ``recordEvents(last:on:)``, which takes the times from a scheduler
    @_alwaysEmitIntoClient
    public func recordEvents(last count: Int) -> EventHistory<Value, Failure, ContinuousClock.Instant> {
        recordEvents(last: count, now: { ContinuousClock.now })
    }

    /// Stores the last events and their times on a scheduler, to be read at any time: see
    /// ``recordEvents(last:)``.
    ///
    /// - Parameters:
    ///   - count: How many events are stored. Traps unless positive.
    ///   - scheduler: Provides the times. Events are recorded on their sender's thread.
    @_alwaysEmitIntoClient
    public func recordEvents<S: DelayScheduler>(
        last count: Int, on scheduler: S
    ) -> EventHistory<Value, Failure, S.Instant> {
        recordEvents(last: count, now: { scheduler.now })
    }

    @_alwaysEmitIntoClient
    func recordEvents<Instant: Sendable>(
        last count: Int, now: @escaping @Sendable () -> Instant
    ) -> EventHistory<Value, Failure, Instant> {
        let ring = EventHistory<Value, Failure, Instant>.Ring(last: count, now: now)
        return EventHistory(ring, observe { ring.record($0) })
    }
}
