/// The scheduler that is running the current code.
public enum CurrentScheduler {
    /// The scheduler of the action that the calling thread is running. Outside any action, the scheduler of the main
    /// queue on the main thread, otherwise `nil`.
    public static var value: (any Scheduler)? {
        if let entry = running.value { return entry.scheduler }
        return ThreadIdentity.isMain ? QueueScheduler.main : nil
    }

    /// A box, because a thread-local stores a reference.
    private final class Entry {
        let scheduler: any Scheduler

        init(_ scheduler: any Scheduler) { self.scheduler = scheduler }
    }

    private static let running = ThreadLocal<Entry>()

    /// Runs `action` with `scheduler` as the current one.
    package static func run(on scheduler: any Scheduler, _ action: () -> Void) {
        let former = running.value
        running.value = Entry(scheduler)
        defer { running.value = former }
        action()
    }
}
