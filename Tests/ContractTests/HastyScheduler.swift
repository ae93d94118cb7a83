import ReactiveSignals

/// A scheduler with a clock that runs every action immediately, as if its delay had passed.
final class HastyScheduler: DelayScheduler {
    private let clock = ContinuousClock()

    var now: ContinuousClock.Instant { clock.now }

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
