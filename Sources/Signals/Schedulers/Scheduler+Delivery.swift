// For actions of operators and sources, which send events or start what sends them. They know the scheduler on which
// they run, also if that is a scheduler of the user: see `CurrentScheduler.sender`.

extension Scheduler {
    @inlinable
    package func scheduleDelivery(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        schedule { CurrentScheduler.deliver(on: self, action) }
    }
}

extension DelayScheduler {
    @inlinable
    package func scheduleDelivery(
        after delay: Duration, leeway: Duration = .zero, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: delay, leeway: leeway) { CurrentScheduler.deliver(on: self, action) }
    }

    @inlinable
    package func scheduleDelivery(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: delay, interval: interval, leeway: leeway) { CurrentScheduler.deliver(on: self, action) }
    }
}
