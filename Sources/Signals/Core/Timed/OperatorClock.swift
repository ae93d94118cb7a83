/// The scheduler of an operator, and the time since the operator began.
@frozen @usableFromInline
package struct OperatorClock: Sendable {
    @usableFromInline package let scheduler: any Scheduler
    /// `nil` if the clock stands still.
    @usableFromInline let time: ElapsedTime?
    /// Schedules an action to run after a positive delay.
    @usableFromInline package let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> (any Disposable)?

    @inlinable
    package init(_ scheduler: some DelayScheduler) {
        self.scheduler = scheduler
        time = ElapsedTime(on: scheduler)
        schedule = { scheduler.schedule(after: $0, leeway: .zero, $1) }
    }

    /// A clock that stands still, for an operator that uses a scheduler without a clock.
    @inlinable
    package init(withoutTime scheduler: some Scheduler) {
        self.scheduler = scheduler
        time = nil
        schedule = { scheduler.schedule($1) }
    }

    /// The time since the operator began. Less than before if the scheduler's clock is set back.
    @inlinable
    package func now() -> Duration { time?.duration ?? .zero }
}
