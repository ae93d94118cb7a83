/// The scheduler on which an operator is sending events. An event that the thread has to leave to another thread follows
/// on that scheduler.
///
/// Not the same as ``CurrentScheduler``: an action of the user's own promises nothing about events that it sends.
@usableFromInline
package enum DeliveryScheduler {
    private static let slot = ScopedThreadLocal()

    /// The `Scheduler` on which an operator sends what the calling thread sends.
    package static var current: AnyObject? { slot.value?.takeUnretainedValue() }

    /// Runs the action of an operator, on its scheduler.
    @usableFromInline
    package static func run(on scheduler: any Scheduler, _ action: () -> Void) {
        // They run actions on the thread that schedules them, which would deliver what others have left behind.
        let type = type(of: scheduler)
        if type == ImmediateScheduler.self || type == TrampolineScheduler.self { return action() }
        let former = slot.value
        slot.value = .passUnretained(scheduler)
        action()
        slot.value = former
        withExtendedLifetime(scheduler) {}
    }

    /// Runs `body`, which begins what the thread waits for. The scheduler cannot deliver in the meantime if this thread
    /// is its only one.
    @usableFromInline
    package static func runWithout<Result>(_ body: () -> Result) -> Result {
        let former = slot.value
        slot.value = nil
        defer { slot.value = former }
        return body()
    }
}

// For the actions of operators and sources, which send events or start what sends them. They allocate a closure. What
// schedules an action for each event calls `run(on:_:)` in its own closure instead.

extension Scheduler {
    @_alwaysEmitIntoClient
    package func scheduleDelivery(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        schedule { DeliveryScheduler.run(on: self, action) }
    }
}

extension DelayScheduler {
    @_alwaysEmitIntoClient
    package func scheduleDelivery(
        after delay: Duration, leeway: Duration = .zero, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: delay, leeway: leeway) { DeliveryScheduler.run(on: self, action) }
    }

    @_alwaysEmitIntoClient
    package func scheduleDelivery(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: delay, interval: interval, leeway: leeway) { DeliveryScheduler.run(on: self, action) }
    }
}
