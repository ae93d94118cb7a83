extension SignalProducer {
    /// Delivers every event on a scheduler, in order, and lets a limited number of values wait.
    ///
    /// Like ``/HotSignals/Signal/buffer(upTo:whenFull:raising:on:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: How many values may wait, apart from the one that observers are handling. Traps unless positive.
    ///   - overflow: What happens when one more value arrives. `.fail` discards what waits, and sends `error`.
    ///   - error: The error of `.fail`, which traps without it.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func buffer(
        upTo count: Int, whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some Scheduler
    ) -> SignalProducer {
        let machine = BufferMachine<Value, Failure>(upTo: count, whenFull: overflow, raising: error)
        return derive("buffer(upTo: #)", argument: count, on: scheduler) {
            TimedSink(machine, clock: OperatorClock(withoutTime: scheduler), downstream: GateSink($0))
        }
    }

    /// Delivers every event on a scheduler, in order, and suspends the source while a number of values wait.
    ///
    /// Like the form with an ``/HotSignals/Overflow``, but nothing is lost: for a source that is made of async code,
    /// and so can wait.
    ///
    /// ```swift
    /// let (numbers, continuation) = AsyncStream<Int>.makeStream()
    /// for number in 1...5 { continuation.yield(number) }
    /// continuation.finish()
    /// let slowly = SignalProducer(numbers).buffer(upTo: 2, whenFull: .suspend, on: QueueScheduler())
    /// print(await slowly.collectAll() ?? [])  // prints [1, 2, 3, 4, 5]
    /// ```
    ///
    /// The source requests no further element while `count` values wait. It goes on when half of them have been
    /// delivered. So it is suspended once for several values, and not for each.
    ///
    /// **Sources**: async sequences, ``SignalProducer/unfold(_:async:)-4x0or`` and
    /// ``SignalProducer/init(pulling:maxConcurrent:_:)-(_,_,(S.Element)->Inner)``. Between the source and this
    /// operator, there may be operators that pass on events as they come, such as `map` and `filter`, operators that
    /// keep all values and pass suspension on, such as ``SignalProducer/observe(on:)`` and
    /// ``SignalProducer/collect(every:upTo:on:)``, and operators that suspend their sources themselves:
    /// ``SignalProducer/mapAsync(maxConcurrent:ordered:_:)`` and those that accept `.suspend`. The page *Limits and
    /// failures* lists them. Operators with an unbounded queue, such as `flatMap(.concat)` and `zip`, have a form with
    /// `.suspend`. What an operator holds or makes of one value, and what producers or transformations that run at the
    /// same time send when there is room for one, may exceed `count`.
    ///
    /// A consumer or an operator downstream that suspends its source suspends the source of this one, too. What waits
    /// here then may exceed what that consumer keeps.
    ///
    /// Terminal events are delivered after the values sent before them. Disposal discards what waits.
    ///
    /// - Parameters:
    ///   - count: How many values may wait, apart from the one that observers are handling. Traps unless positive.
    ///   - overflow: `.suspend`. Traps if the source cannot be suspended.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func buffer(
        upTo count: Int, whenFull overflow: Overflow.Suspending, on scheduler: some Scheduler
    ) -> SignalProducer {
        require(count > 0, "buffer(upTo: \(count)): the limit must be positive")
        require(
            isSuspendable,
            "buffer(upTo: \(count), whenFull: .suspend): the source cannot be suspended; use one made of async code")
        return derive("buffer(upTo: #)", argument: count, on: scheduler, passesSuspension: true) { core in
            let stock = Stock(Room(limit: count, goingOnAt: count / 2, downstream: core.senders))
            let taking = TakingSink(stock: stock, downstream: GateSink(core))
            // The source keeps the limit, so nothing overflows.
            return StockedSink(
                stock: stock,
                receiver: TimedSink(
                    BufferMachine<Value, Failure>(), clock: OperatorClock(withoutTime: scheduler), downstream: taking))
        }
    }
}
