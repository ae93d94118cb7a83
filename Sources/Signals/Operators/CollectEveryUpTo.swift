extension Signal {
    /// Sends values in arrays, when an array is large enough or old enough.
    ///
    /// Use it for work that is cheaper for many values at once, such as writing to a database.
    ///
    /// ```marbles
    /// source                                                    --1--2--3----------4---|
    /// source.collect(every: .seconds(9), upTo: 3, on: clock)    --------[1,2,3]--------[4]|
    /// ```
    ///
    /// The interval begins with the first value of an array, so no empty arrays are sent. When the source completes,
    /// the remaining values are sent on the scheduler, followed by the completion. An error or an interruption is
    /// scheduled immediately, after the arrays that are full, and discards the values of the array that is not.
    /// Disposal discards all.
    ///
    /// Values that arrive while observers handle an array wait in the next arrays, without a limit. Only a signal of
    /// ``pipe(capacity:file:line:)`` limits them: its senders wait while `count` and its capacity are here.
    ///
    /// - Parameters:
    ///   - interval: The longest time between the first value of an array and its sending. Traps unless positive.
    ///   - count: The size at which an array is sent. Traps unless positive.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func collect(
        every interval: Duration, upTo count: Int, on scheduler: some DelayScheduler
    ) -> Signal<[Value], Failure> {
        let machine = CollectEveryUpToMachine<Value, Failure>(every: interval, upTo: count)
        return deriveTimed(
            "collect(every:upTo: #)", argument: count, on: scheduler, running: machine, holding: count
        ) { $0.count }
    }
}

/// Collects values, and sends them when there are enough of them or when the first one has waited long enough.
@frozen @usableFromInline
package struct CollectEveryUpToMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @usableFromInline let interval: Duration
    @usableFromInline let count: Int
    @usableFromInline var values: [Value] = []
    /// When the values must be sent. Arrays that are full must be sent earlier.
    @usableFromInline var due = Duration.zero
    @usableFromInline var full = Queue<[Value]>()
    @usableFromInline var termination: Termination<Failure>?

    @_alwaysEmitIntoClient
    package init(every interval: Duration, upTo count: Int) {
        require(interval > .zero, "collect(every: \(interval)): the interval must be positive")
        require(count > 0, "collect(upTo: \(count)): the count must be positive")
        self.interval = interval.limitedForSums
        self.count = count
    }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? {
        !full.isEmpty || termination != nil ? .zero : !values.isEmpty ? due : nil
    }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, at now: Duration) -> (Queue<[Value]>, [Value])? {
        if values.isEmpty { due = now + interval }
        values.append(value)
        if values.count == count { full.append(exchange(&values, with: [])) }
        return nil
    }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> (Queue<[Value]>, [Value])? {
        self.termination = termination
        return termination.isCompletion ? nil : (Queue(), exchange(&values, with: []))
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<[Value], Failure>? {
        if let values = full.popFirst() { return .next(values) }
        if !values.isEmpty, due <= now || termination != nil { return .next(exchange(&values, with: [])) }
        return termination?.event()
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> (Queue<[Value]>, [Value])? {
        (exchange(&full, with: Queue()), exchange(&values, with: []))
    }
}
