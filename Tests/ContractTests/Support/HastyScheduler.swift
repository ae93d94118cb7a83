import ReactiveSignals

/// A scheduler for which every delay is over at once: it runs each action in the call that schedules it.
final class HastyScheduler: DelayScheduler {
    var now: ContinuousClock.Instant { .now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        return nil
    }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { schedule(action) }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { schedule(action) }
}
