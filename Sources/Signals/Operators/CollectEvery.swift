extension Signal {
    /// Sends the values of each interval as an array.
    ///
    /// Like ``collect(count:)``, but by time.
    ///
    /// ```marbles
    /// source                                           --1--2-----------3-----...
    /// source.collect(every: .seconds(6), on: clock)    ------[1,2]-[]----[3]--...
    /// ```
    ///
    /// The intervals begin with this call and do not drift. An error or an interruption is scheduled immediately and
    /// discards the collected values. Disposal also discards them. Buffers the values of one interval.
    ///
    /// - Parameters:
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where observers are called.
    ///   - skipEmpty: Whether to send nothing, rather than `[]`, for an interval without values.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the collected values. If
    ///     `false`, both are sent at the end of the interval.
    @_alwaysEmitIntoClient
    public func collect(
        every interval: Duration, on scheduler: some DelayScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> Signal<[Value], Failure> {
        require(interval > .zero, "collect(every: \(interval)): the interval must be positive")
        return deriveTimed(
            "collect(every: @)", argument: interval.nanoseconds, on: scheduler,
            running: CollectEveryMachine(
                interval: interval, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted))
    }
}

/// Collects values and sends them at the end of each interval.
@frozen @usableFromInline
package struct CollectEveryMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @usableFromInline let interval: Duration
    @usableFromInline let skipEmpty: Bool
    @usableFromInline let discardWhenCompleted: Bool
    /// What suspends the source of a producer. While it does, intervals without values send nothing.
    @usableFromInline let senders: SenderQueue?
    @usableFromInline var values: [Value] = []
    /// The end of the current interval.
    @usableFromInline var due: Duration
    /// Whether the source has completed. The completion waits for the end of the interval.
    @usableFromInline var completesWhenDue = false
    /// A terminal event that does not wait.
    @usableFromInline var termination: Termination<Failure>?

    @_alwaysEmitIntoClient
    package init(
        interval: Duration, skipEmpty: Bool, discardWhenCompleted: Bool, suspendedBy senders: SenderQueue? = nil
    ) {
        self.senders = senders
        self.interval = interval
        self.skipEmpty = skipEmpty
        self.discardWhenCompleted = discardWhenCompleted
        due = interval
    }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { termination != nil ? .zero : due }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, at now: Duration) -> [Value]? {
        values.append(value)
        return nil
    }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> [Value]? {
        if termination.isCompletion, !discardWhenCompleted {
            completesWhenDue = true
            return nil
        }
        self.termination = termination
        return clear()
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<[Value], Failure>? {
        if let termination { return termination.event() }
        guard due <= now else { return nil }
        due = now.nextMultiple(of: interval)
        if completesWhenDue { termination = .completed }
        if values.isEmpty, skipEmpty || senders?.makesSendersWait == true { return termination?.event() }
        return .next(exchange(&values, with: []))
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> [Value]? { exchange(&values, with: []) }
}
