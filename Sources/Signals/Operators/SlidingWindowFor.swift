extension Signal {
    /// Sends, for each value, the values of the last interval.
    ///
    /// ```marbles
    /// source                                               --1----2--------3----|
    /// source.slidingWindow(for: .seconds(6), on: clock)    --[1]--[1,2]----[3]--|
    /// ```
    ///
    /// A window ends with the value that has just arrived. It contains the values that have arrived less than the
    /// interval before it. Nothing is sent when a value expires. Terminal events are forwarded immediately. Buffers the
    /// values of one interval, and copies them for each value. To limit their number too, use
    /// ``throttle(_:on:latest:discardWhenCompleted:)`` first.
    ///
    /// - Parameters:
    ///   - interval: How long a value stays in the window. Traps unless positive.
    ///   - scheduler: Measures the time. Windows are sent on the thread of the value.
    @_alwaysEmitIntoClient
    public func slidingWindow(for interval: Duration, on scheduler: some DelayScheduler) -> Signal<[Value], Failure> {
        require(interval > .zero, "slidingWindow(for: \(interval)): the interval must be positive")
        return derive("slidingWindow(for: @)", argument: interval.nanoseconds) {
            SlidingWindowForSink(interval: interval, clock: OperatorClock(scheduler), downstream: $0)
        }
    }
}

@frozen @usableFromInline
package struct SlidingWindowForSink<Value: Sendable, Downstream: Sink>: OperatorSink
where Downstream.Value == [Value] {
    @usableFromInline let interval: Duration
    @usableFromInline let clock: OperatorClock
    @usableFromInline let window = SinkState(Queue<(value: Value, expiry: Duration)>())
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(interval: Duration, clock: OperatorClock, downstream: Downstream) {
        self.interval = interval.limitedForSums
        self.clock = clock
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        let now = clock.now()
        while let first = window.value.first, first.expiry <= now { window.value.popFirst() }
        window.value.append((value, now + interval))
        let values = (0..<window.value.count).map { window.value[$0].value }
        downstream.next(values)
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        window.value = Queue()
        downstream.end(termination)
    }
}
