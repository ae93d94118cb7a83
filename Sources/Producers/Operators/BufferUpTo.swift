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
    /// ``SignalProducer/init(pulling:maxConcurrent:_:)-(_,_,(S.Element)->Inner)``. Between the source and this operator, there
    /// may be operators that pass on events as they come, such as `map` and `filter`, and operators that suspend their
    /// sources themselves: ``SignalProducer/mapAsync(maxConcurrent:ordered:_:)`` and those that accept
    /// `.suspend`, but not another `buffer`. Other operators with a scheduler, tasks or several inputs cannot pass on
    /// the suspension. What an operator makes of one value, and what producers or transformations that run at the same
    /// time send when there is room for one, may exceed `count`.
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
        return derive("buffer(upTo: #)", argument: count, on: scheduler) {
            SuspendingBufferSink(limit: count, clock: OperatorClock(withoutTime: scheduler), downstream: GateSink($0))
        }
    }
}

/// A buffer that tells the source when it is full.
@frozen @usableFromInline
struct SuspendingBufferSink<Downstream: Sink>: WorkingSink {
    @usableFromInline typealias Machine = BufferMachine<Downstream.Value, Downstream.Failure>

    @usableFromInline let stock: Stock
    @usableFromInline let buffer: TimedSink<Machine, TakingSink<Downstream>>

    @_alwaysEmitIntoClient
    init(limit: Int, clock: OperatorClock, downstream: Downstream) {
        let stock = Stock(Room(limit: limit, goingOnAt: limit / 2))
        self.stock = stock
        // The source keeps the limit, so nothing overflows.
        buffer = TimedSink(Machine(), clock: clock, downstream: TakingSink(stock: stock, downstream: downstream))
    }

    @_alwaysEmitIntoClient
    func next(_ value: Downstream.Value) {
        stock.change(by: 1)
        buffer.next(value)
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Downstream.Failure>) { buffer.end(termination) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { buffer.hasEnded }

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { buffer.stopWork }

    @_alwaysEmitIntoClient
    func stop() { buffer.stop() }

    @_alwaysEmitIntoClient
    var senders: SenderQueue? { stock.senders }
}
