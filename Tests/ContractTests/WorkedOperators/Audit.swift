import ColdProducers
import HotSignals

extension Signal {
    /// Sends the latest value of each interval. A value begins one, unless one
    /// has begun. Completion sends the value that waits, and an error or an
    /// interruption drops it.
    func audit(
        _ interval: Duration, on scheduler: some DelayScheduler
    ) -> Signal {
        require(
            interval >= .zero,
            "audit(\(interval)): the interval must not be negative")
        return deriveTimed(
            "audit: @", argument: interval.nanoseconds, on: scheduler,
            running: AuditMachine(interval: interval))
    }
}

extension SignalProducer {
    /// Like `audit` of signals, separately for each start.
    func audit(
        _ interval: Duration, on scheduler: some DelayScheduler
    ) -> SignalProducer {
        require(
            interval >= .zero,
            "audit(\(interval)): the interval must not be negative")
        return deriveTimed(
            "audit: @", argument: interval.nanoseconds, on: scheduler,
            running: AuditMachine(interval: interval))
    }
}

/// Keeps the latest value until the interval is over.
struct AuditMachine<Value: Sendable, Failure: Error>: TimedMachine {
    let interval: Duration
    var pending: Value?
    var due = Duration.zero
    var termination: Termination<Failure>?

    init(interval: Duration) { self.interval = interval }

    var wakeUp: Duration? {
        termination != nil ? .zero : pending != nil ? due : nil
    }

    mutating func receive(_ value: Value, at now: Duration) -> Value? {
        if pending == nil { due = now + interval }
        return exchange(&pending, with: value)
    }

    mutating func end(
        _ termination: Termination<Failure>, at now: Duration
    ) -> Value? {
        self.termination = termination
        return termination.isCompletion ? nil : pending.take()
    }

    mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? {
        if termination == nil, due > now { return nil }
        return pending.take().map(Event.next) ?? termination?.event()
    }

    mutating func clear() -> Value? { pending.take() }
}
