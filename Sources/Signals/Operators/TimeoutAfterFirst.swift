extension Signal {
    /// Fails unless the source terminates within an interval after its first value.
    ///
    /// Like `timeout(after:raising:on:)`, but the source may take any time until its first value: a connection may stay
    /// idle, but a request that has begun to arrive must arrive as a whole.
    ///
    /// ```marbles
    /// source                                     ----1--2--3--4--5--...
    /// source.timeout(afterFirst: .seconds(8),
    ///     raising: X(), on: clock)               ----1--2--3-X
    /// ```
    ///
    /// The interval begins when the observer has handled the first value. Later values do not restart it. Values are
    /// forwarded on their sender's thread. When the time is up, the error is sent on the scheduler and the source is
    /// released.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled after the first value. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout(
        afterFirst interval: Duration, raising error: Failure, on scheduler: some DelayScheduler
    ) -> Signal {
        require(interval >= .zero, "timeout(afterFirst: \(interval)): the interval must not be negative")
        return derive("timeout(afterFirst: @)", argument: interval.nanoseconds) { downstream, lifetime in
            let sink = TimeoutAfterFirstSink(
                interval, raising: error, clock: OperatorClock(scheduler), downstream: downstream,
                alert: NeverSink(downstream.core))
            lifetime.observeEnded(sink.stopWork)
            return sink
        }
    }
}

extension Signal where Failure == Never {
    /// Fails unless the signal, which cannot fail itself, terminates within an interval after its first value.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled after the first value. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout<NewFailure: Error>(
        afterFirst interval: Duration, raising error: NewFailure, on scheduler: some DelayScheduler
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(afterFirst: interval, raising: error, on: scheduler)
    }
}

/// Forwards events on the sender's thread, and starts a ``TimedSink`` after the first value.
@frozen @usableFromInline
package struct TimeoutAfterFirstSink<Downstream: Sink, Alert: Sink>: WorkingSink
where Alert.Value == Duration, Alert.Failure == Downstream.Failure {
    @usableFromInline let watch: TimedSink<WatchMachine<Downstream.Failure>, Alert>
    @usableFromInline let hasBegun = SinkState(false)
    @usableFromInline let downstream: Downstream

    /// - Parameter alert: Receives the error, on the scheduler.
    @_alwaysEmitIntoClient
    package init(
        _ interval: Duration, raising error: Downstream.Failure, clock: OperatorClock, downstream: Downstream,
        alert: Alert
    ) {
        let machine = WatchMachine<Downstream.Failure>(
            interval: interval, termination: .error(error), waitsForValue: true)
        watch = TimedSink(machine, clock: clock, downstream: alert)
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Downstream.Value) {
        downstream.next(value)
        if hasBegun.value { return }
        hasBegun.value = true
        watch.next(())
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        downstream.end(termination)
        watch.stop()
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { downstream.hasEnded }

    @_alwaysEmitIntoClient
    package func stop() { watch.stop() }

    @_alwaysEmitIntoClient
    package var stopWork: @Sendable () -> Void { watch.stopWork }
}
