extension Signal {
    /// Delivers every event on a scheduler, in order, lets a limited number of values wait, and passes each value that
    /// it drops to a closure.
    ///
    /// Like ``buffer(upTo:whenFull:raising:on:)``. Use the closure to count what a slow consumer misses, or to log it.
    /// Reactor's `onBackpressureBuffer` with an `onOverflow`.
    ///
    /// ```swift
    /// let (lines, input) = Signal<Int, Never>.pipe()
    /// let scheduler = TestScheduler()
    /// lines.buffer(upTo: 2, whenFull: .dropOldest, on: scheduler, onDropped: { print("dropped \($0)") })
    ///     .observeNext { print("line \($0)") }
    /// for line in 1...3 { input.sendNext(line) }  // prints dropped 1
    /// scheduler.run()
    /// // prints line 2
    /// // prints line 3
    /// ```
    ///
    /// A value is dropped when there is no room for it, when another one takes its place, when an overflow fails the
    /// result, and when a disposal discards what waits. The closure runs on the thread that does this, under no lock of
    /// the library: a slow closure delays the sender. Several threads can call it at the same time. `dispose()` calls
    /// it, too, so do not dispose of the result while you hold a lock that the closure takes. If a scheduler that is
    /// shut down drops the values, a thread of the library calls it. It is not called for values that the source sends
    /// after the result has ended, or for a value that is being sent while the result is disposed of.
    ///
    /// - Parameters:
    ///   - count: How many values may wait, apart from the one that observers are handling. Traps unless positive.
    ///   - overflow: What happens when one more value arrives. `.fail` discards what waits, and sends `error`.
    ///   - error: The error of `.fail`, which traps without it.
    ///   - scheduler: Where observers are called.
    ///   - onDropped: Called with each value that is dropped.
    @_alwaysEmitIntoClient
    public func buffer(
        upTo count: Int, whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some Scheduler,
        onDropped: @escaping @Sendable (Value) -> Void
    ) -> Signal {
        let machine = ReportingMachine(
            reporting: BufferMachine<Value, Failure>(upTo: count, whenFull: overflow, raising: error),
            onDropped: onDropped)
        return derive("buffer(upTo: #)", argument: count, on: scheduler) {
            TimedSink(machine, clock: OperatorClock(withoutTime: scheduler), downstream: GateSink($0))
        }
    }
}
