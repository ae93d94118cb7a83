/// The scheduler of an operator, and the time since the operator began.
@frozen @usableFromInline
package struct OperatorClock: Sendable {
    @usableFromInline package let scheduler: any Scheduler
    /// The time since the operator began.
    @usableFromInline package let now: @Sendable () -> Duration
    /// Schedules an action to run after a positive delay.
    @usableFromInline package let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> (any Disposable)?

    @inlinable
    package init(_ scheduler: some DelayScheduler) {
        self.scheduler = scheduler
        let begun = scheduler.now
        now = { begun.duration(to: scheduler.now) }
        schedule = { scheduler.schedule(after: $0, leeway: .zero, $1) }
    }

    /// A clock that stands still, for an operator that uses a scheduler without a clock.
    @inlinable
    package init(withoutTime scheduler: some Scheduler) {
        self.scheduler = scheduler
        now = { .zero }
        schedule = { scheduler.schedule($1) }
    }
}
