public import HotSignals

extension SignalProducer {
    /// Stores the last events of all starts and their times, to be read at any time.
    ///
    /// ```swift
    /// let (load, history) = SignalProducer<Int, Never>([1, 2]).recordEvents(last: 100)
    /// load.start()
    /// print(history.total)  // prints 3
    /// ```
    ///
    /// Each event is recorded before it is sent downstream. The producer retains the history, which retains up to
    /// `count` values.
    ///
    /// - Parameters:
    ///   - count: How many events are stored. Traps unless positive.
    /// - Returns: The producer whose starts are recorded, and the history.
    @_alwaysEmitIntoClient
    public func recordEvents(
        last count: Int
    ) -> (producer: SignalProducer, history: EventHistory<Value, Failure, ContinuousClock.Instant>) {
        recordEvents(last: count, now: { ContinuousClock.now })
    }

    /// Stores the last events of all starts and their times on a scheduler, to be read at any time: see
    /// ``recordEvents(last:)``.
    ///
    /// - Parameters:
    ///   - count: How many events are stored. Traps unless positive.
    ///   - scheduler: Provides the times. Events are recorded on their sender's thread.
    /// - Returns: The producer whose starts are recorded, and the history.
    @_alwaysEmitIntoClient
    public func recordEvents<S: DelayScheduler>(
        last count: Int, on scheduler: S
    ) -> (producer: SignalProducer, history: EventHistory<Value, Failure, S.Instant>) {
        recordEvents(last: count, now: { scheduler.now })
    }

    @_alwaysEmitIntoClient
    func recordEvents<Instant: Sendable>(
        last count: Int, now: @escaping @Sendable () -> Instant
    ) -> (producer: SignalProducer, history: EventHistory<Value, Failure, Instant>) {
        let ring = EventHistory<Value, Failure, Instant>.Ring(last: count, now: now)
        let recorded = on(
            "", starting: nil, started: nil,
            effects: SideEffects(
                event: { ring.record($0) }, next: nil,
                end: EndEffects(error: nil, completed: nil, interrupted: nil, terminated: nil)),
            disposed: nil)
        return (recorded, EventHistory(ring))
    }
}
