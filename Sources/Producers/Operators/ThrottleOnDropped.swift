extension SignalProducer {
    /// Limits the rate of values, and passes each value that it drops to a closure.
    ///
    /// Like ``/HotSignals/Signal/throttle(_:on:latest:discardWhenCompleted:onDropped:)`` of signals, separately for
    /// each start.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - latest: Whether the latest value of an interval is sent when the interval is over. If `false`, values that
    ///     arrive during an interval are dropped.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and drops the pending value. If `false`,
    ///     the value is sent when it is due, followed by the completion.
    ///   - onDropped: Called with each value that is dropped, on the thread that drops it.
    @_alwaysEmitIntoClient
    public func throttle(
        _ interval: Duration, on scheduler: some DelayScheduler, latest: Bool = true, discardWhenCompleted: Bool = true,
        onDropped: @escaping @Sendable (Value) -> Void
    ) -> SignalProducer {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative")
        let machine = ThrottleMachine<Value, Failure>(
            interval: interval, latest: latest, discardWhenCompleted: discardWhenCompleted)
        let name = derivedName("throttle: @", interval.nanoseconds)
        let contention = contention.behind(scheduler)
        return SignalProducer(name, contention: contention) { subscription, downstream in
            let core = Core<Value, Failure>(rootNamed: name, contention: contention, scheduler: scheduler)
            core.adopt(ReportingWantedSink(downstream: downstream, onDropped: onDropped))
            let sink = TimedSink(
                ReportingThrottleMachine(machine, onDropped: onDropped), clock: OperatorClock(scheduler),
                downstream: GateSink(core))
            beginUpstream(of: subscription, into: sink, headedBy: core)
        }
    }
}

/// Like ``WantedSink``, but passes a value that is no longer wanted to a closure: one that has been due when its start
/// is disposed of.
@frozen @usableFromInline
struct ReportingWantedSink<Value: Sendable, Failure: Error>: OperatorSink {
    @usableFromInline let downstream: ProducerSink<Value, Failure>
    @usableFromInline let onDropped: @Sendable (Value) -> Void

    @_alwaysEmitIntoClient
    init(downstream: ProducerSink<Value, Failure>, onDropped: @escaping @Sendable (Value) -> Void) {
        self.downstream = downstream
        self.onDropped = onDropped
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        if downstream.hasEnded { onDropped(value) } else { downstream.next(value) }
    }
}
