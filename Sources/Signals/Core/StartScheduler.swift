/// The scheduler that delivers the events of a start, for the core that sends them on if its observers come and go.
///
/// Such a core exists before the work begins, so it cannot be created with the scheduler. And the subscription knows
/// its scheduler only until it is finished, when an event may still be waiting for an observer that is being added.
@usableFromInline
package final class StartScheduler: Sendable {
    private let subscription: Subscription
    private let noted = Locked<(any Scheduler)?>(nil)

    @usableFromInline
    package init(of subscription: Subscription) { self.subscription = subscription }

    /// Call before an event of the start is left to another thread: the start still has its scheduler then.
    func note() {
        guard let scheduler = subscription.schedulerObject as? any Scheduler else { return }
        let former = noted.withLock { noted in
            defer { noted = scheduler }
            return noted
        }
        withExtendedLifetime(former) {}
    }

    /// The scheduler that was noted last.
    var scheduler: (any Scheduler)? { noted.withLock { $0 } }
}
