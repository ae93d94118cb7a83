/// The scheduler that is running the current code.
public enum CurrentScheduler {
    /// The scheduler of the action that the calling thread is running. Outside any action, the scheduler of the main
    /// queue on the main thread, otherwise `nil`.
    public static var value: (any Scheduler)? {
        if let scheduler = running.value { return scheduler.takeUnretainedValue() as? any Scheduler }
        return ThreadIdentity.isMain ? QueueScheduler.main : nil
    }

    private static let running = ScopedThreadLocal()

    /// Runs `action` with `scheduler` as the current one.
    package static func run(on scheduler: any Scheduler, _ action: () -> Void) {
        let former = running.value
        running.value = .passUnretained(scheduler)
        action()
        running.value = former
        withExtendedLifetime(scheduler) {}
    }
}
