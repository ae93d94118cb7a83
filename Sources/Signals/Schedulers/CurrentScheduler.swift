/// The scheduler that is running the current code.
public enum CurrentScheduler {
    /// The scheduler of the action that the calling thread is running. Outside any action, the scheduler of the main
    /// queue on the main thread, otherwise `nil`.
    ///
    /// A scheduler of your own is the current one while an operator sends events on it.
    public static var value: (any Scheduler)? {
        if let scheduler = running.value { return scheduler.takeUnretainedValue() as? any Scheduler }
        return ThreadIdentity.isMain ? QueueScheduler.main : nil
    }

    private static let running = ScopedThreadLocal()

    /// The scheduler whose action sends what the calling thread sends, so that what the thread leaves to others can
    /// follow on that scheduler. `nil` for a trampoline: it would run others' work on the thread that schedules.
    package static var sender: AnyObject? {
        guard let scheduler = running.value?.takeUnretainedValue(), !(scheduler is TrampolineScheduler) else {
            return nil
        }
        return scheduler
    }

    /// Runs the action of an operator, on its scheduler. Schedulers of users do not make themselves the current one.
    @usableFromInline
    package static func deliver(on scheduler: any Scheduler, _ action: () -> Void) {
        let isKnown = running.value?.toOpaque() == Unmanaged.passUnretained(scheduler as AnyObject).toOpaque()
        if isKnown || type(of: scheduler) == ImmediateScheduler.self { return action() }
        run(on: scheduler, action)
    }

    /// Runs `action` with `scheduler` as the current one.
    package static func run(on scheduler: any Scheduler, _ action: () -> Void) {
        let former = running.value
        running.value = .passUnretained(scheduler)
        action()
        running.value = former
        withExtendedLifetime(scheduler) {}
    }
}
