extension Signal {
    /// Delivers every event on a scheduler, in order, and lets a limited number of values wait.
    ///
    /// Like ``observe(on:)``, but with a bound: between a fast source and a slow observer, memory does not grow.
    ///
    /// ```swift
    /// let (readings, input) = Signal<Int, Never>.pipe()
    /// readings.buffer(upTo: 100, whenFull: .dropOldest, on: QueueScheduler()).observeNext { print($0) }
    /// ```
    ///
    /// Terminal events are delivered after the values sent before them. Values that arrive while others wait are
    /// delivered together with them, in one action of the scheduler, under the task-locals of no sender. If other
    /// threads send more than 64 values during an action, the next action delivers the rest. Disposal discards what
    /// waits.
    ///
    /// - Parameters:
    ///   - count: How many values may wait, apart from the one that observers are handling. Traps unless positive.
    ///   - overflow: What happens when one more value arrives. `.fail` discards what waits, and sends `error`.
    ///   - error: The error of `.fail`, which traps without it.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func buffer(
        upTo count: Int, whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some Scheduler
    ) -> Signal {
        let machine = BufferMachine<Value, Failure>(upTo: count, whenFull: overflow, raising: error)
        return derive("buffer(upTo: #)", argument: count, on: scheduler) {
            TimedSink(machine, clock: OperatorClock(withoutTime: scheduler), downstream: GateSink($0))
        }
    }
}

/// Buffers values until the scheduler runs the action that sends them.
@frozen @usableFromInline
package struct BufferMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @usableFromInline var queue: BoundedQueue<Value, Failure>

    @_alwaysEmitIntoClient
    package init(upTo count: Int, whenFull overflow: Overflow, raising error: Failure?) {
        overflow.require(for: "buffer", (label: "upTo", value: count), hasError: error != nil)
        queue = BoundedQueue(limit: count, overflow, raising: error)
    }

    /// Creates a buffer without a limit of its own, for a source that keeps one.
    @_alwaysEmitIntoClient
    package init() { queue = BoundedQueue(limit: .max, .dropNewest, raising: nil) }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { queue.values.isEmpty && queue.termination == nil ? nil : .zero }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, at now: Duration) -> Queue<Value>? { queue.append(value) }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> Queue<Value>? {
        if queue.termination == nil { queue.termination = termination }
        return nil
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? {
        queue.popFirst().map(Event.next) ?? queue.termination?.event()
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Queue<Value>? { queue.clear() }
}
