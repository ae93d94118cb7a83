/// Forwards events on the sender's thread, while a ``TimedSink`` watches how much time passes between them: each value
/// restarts the interval of the machine, when it has been delivered.
@usableFromInline
@_fixed_layout
package final class WatchSink<Downstream: Sink, Alert: Sink>: WorkingSink
where Alert.Value == Duration, Alert.Failure == Downstream.Failure {
    @usableFromInline let watch: TimedSink<WatchMachine<Downstream.Failure>, Alert>
    @usableFromInline let delivery: WatchedDelivery
    @usableFromInline let downstream: Downstream
    /// What the source of a producer waits for, if it can be suspended.
    @usableFromInline package let senders: SenderQueue?

    /// - Parameters:
    ///   - senders: What suspends the source. The time for which it does so does not count, as for a delivery.
    ///   - alert: Receives the events of the machine, on the scheduler.
    @_alwaysEmitIntoClient
    package init(
        _ machine: WatchMachine<Downstream.Failure>, clock: OperatorClock, suspendedBy senders: SenderQueue? = nil,
        downstream: Downstream, alert: Alert
    ) {
        let delivery = WatchedDelivery()
        self.delivery = delivery
        var machine = machine
        machine.delivery = delivery
        let watch = TimedSink(machine, clock: clock, downstream: alert)
        self.watch = watch
        self.downstream = downstream
        // Weakly, because a source that ignores its cancellation retains its queue.
        self.senders = senders.map {
            SenderQueue(downstream: $0) { [weak watch] begins in watch?.sourceWaits(begins, delivery) }
        }
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Downstream.Value) {
        delivery.isInProgress.store(1)
        downstream.next(value)
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
    package var stopWork: @Sendable () -> Void { watch.stopWork }
}

extension TimedSink {
    /// Restarts the interval when the source goes on. A source of several tasks is silent only if none of them waits.
    @_alwaysEmitIntoClient
    func sourceWaits<Failure>(_ begins: Bool, _ delivery: WatchedDelivery) where Machine == WatchMachine<Failure> {
        if begins {
            _ = delivery.waits.acquire(adding: 1)
        } else {
            change { machine, now in
                _ = delivery.waits.release(subtracting: 1)
                machine.restart(at: now)
                return nil
            }
        }
    }
}

extension Signal {
    /// Applies an operator that forwards all events, and watches the time.
    ///
    /// - Parameter alert: Creates what receives the events of the machine, on the scheduler.
    @_alwaysEmitIntoClient
    package func watch<Alert: Sink>(
        _ name: StaticString, _ machine: WatchMachine<Failure>, on scheduler: some DelayScheduler,
        alert: (Core<Value, Failure>) -> Alert
    ) -> Signal where Alert.Value == Duration, Alert.Failure == Failure {
        derive(name, argument: machine.interval.nanoseconds) { downstream, lifetime in
            let sink = WatchSink(
                machine, clock: OperatorClock(scheduler), downstream: downstream, alert: alert(downstream.core))
            lifetime.observeEnded(sink.stopWork)
            return sink
        }
    }
}

/// Calls a closure for each alert, and sends the terminal event, if there is one, through the gate of the result.
@frozen @usableFromInline
package struct AlertSink<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let action: @Sendable (Duration) -> Void

    @_alwaysEmitIntoClient
    package init(_ core: Core<Value, Failure>, _ action: @escaping @Sendable (Duration) -> Void = { _ in }) {
        self.core = core
        self.action = action
    }

    @_alwaysEmitIntoClient
    package func next(_ interval: Duration) { action(interval) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) { core.sendEndWithoutWaiting(termination) }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { core.terminated.isRaised }
}
