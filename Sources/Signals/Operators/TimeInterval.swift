extension Signal {
    /// Attaches to each value the time since the previous one.
    ///
    /// The first value is measured from this call. Terminal events are forwarded. Buffers nothing.
    ///
    /// ```swift
    /// let (beats, input) = Signal<Int, Never>.pipe()
    /// let late = beats.timeInterval(on: QueueScheduler()).filter { $0.interval > .seconds(5) }
    /// ```
    ///
    /// - Parameter scheduler: Measures the time. Values are forwarded on their sender's thread.
    @_alwaysEmitIntoClient
    public func timeInterval(
        on scheduler: some DelayScheduler
    ) -> Signal<(value: Value, interval: Duration), Failure> {
        derive("timeInterval(on:)") { TimeIntervalSink(clock: OperatorClock(scheduler), downstream: $0) }
    }
}

@frozen @usableFromInline
package struct TimeIntervalSink<Value: Sendable, Downstream: Sink>: OperatorSink
where Downstream.Value == (value: Value, interval: Duration) {
    @usableFromInline let clock: OperatorClock
    @usableFromInline let previous = SinkState(Duration.zero)
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(clock: OperatorClock, downstream: Downstream) {
        self.clock = clock
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) {
        let now = clock.now()
        let interval = now - previous.value
        previous.value = now
        downstream.next((value: value, interval: interval))
    }
}
