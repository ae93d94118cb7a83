extension Signal {
    /// Ignores the values of the first interval.
    ///
    /// ```marbles
    /// source                                      --1--2--3--4--|
    /// source.skip(for: .seconds(7), on: clock)    --------3--4--|
    /// ```
    ///
    /// The interval begins with this call. A value that arrives when it is over is sent. Terminal events are forwarded.
    /// Uses no timer: it reads the clock for each value until the interval is over. Buffers nothing.
    ///
    /// - Parameters:
    ///   - interval: How long values are ignored. Traps if negative.
    ///   - scheduler: Measures the time. Values are forwarded on their sender's thread.
    @_alwaysEmitIntoClient
    public func skip(for interval: Duration, on scheduler: some DelayScheduler) -> Signal {
        require(interval >= .zero, "skip(for: \(interval)): the interval must not be negative")
        return derive("skip(for: @)", argument: interval.nanoseconds) {
            SkipForSink(interval: interval, clock: OperatorClock(scheduler), downstream: $0)
        }
    }
}

@frozen @usableFromInline
package struct SkipForSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let interval: Duration
    @usableFromInline let clock: OperatorClock
    @usableFromInline let isOver = SinkState(false)
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(interval: Duration, clock: OperatorClock, downstream: Downstream) {
        self.interval = interval
        self.clock = clock
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        if !isOver.value { isOver.value = clock.now() >= interval }
        if isOver.value { downstream.next(value) }
    }
}
