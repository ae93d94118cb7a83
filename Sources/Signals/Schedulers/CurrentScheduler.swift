/// The scheduler whose action the calling thread is running.
public enum CurrentScheduler {
    /// The scheduler that the running action was scheduled on; on the main thread outside any action, the main queue's; nil
    /// elsewhere.
    public static var value: (any Scheduler)? {
        if let entry = running.value { return entry.scheduler }
        return ThreadIdentity.isMain ? QueueScheduler.main : nil
    }

    /// A box, as a thread keeps a reference.
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
