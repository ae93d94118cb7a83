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
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``recordEvents(last:on:file:line:)``, which takes the times from a scheduler
    public func recordEvents(
        last count: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> EventHistory<Value, Failure, ContinuousClock.Instant> {
        recordEvents(last: count, now: { ContinuousClock.now }, file, line)
    }

    /// Stores the last events and their times on a scheduler, to be read at any time: see
    /// ``recordEvents(last:file:line:)``.
    ///
    /// - Parameters:
    ///   - count: How many events are stored. Traps unless positive.
    ///   - scheduler: Provides the times. Events are recorded on their sender's thread.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func recordEvents<S: DelayScheduler>(
        last count: Int, on scheduler: S, file: StaticString = #fileID, line: UInt = #line
    ) -> EventHistory<Value, Failure, S.Instant> {
        recordEvents(last: count, now: { scheduler.now }, file, line)
    }

    private func recordEvents<Instant: Sendable>(
        last count: Int, now: @escaping @Sendable () -> Instant, _ file: StaticString, _ line: UInt
    ) -> EventHistory<Value, Failure, Instant> {
        let ring = EventHistory<Value, Failure, Instant>.Ring(last: count, now: now, file, line)
        return EventHistory(ring, observe { ring.record($0) })
    }
}
