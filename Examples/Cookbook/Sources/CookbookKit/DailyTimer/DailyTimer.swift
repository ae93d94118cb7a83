package import Foundation
package import ReactiveSignals

/// Sends each occurrence of a time of day, at most once, whatever happens to the wall clock.
package struct DailyTimer<Scheduler: DelayScheduler>: Sendable {
    private let time: DailyTime
    private let wallClock: @Sendable () -> Date
    private let scheduler: Scheduler
    private let longestSleep: Duration

    /// - Parameters:
    ///   - wallClock: Returns the current date. It can jump.
    ///   - scheduler: Measures the time between two looks at the wall clock. It is monotonic.
    ///   - longestSleep: The time within which a jump is noticed.
    package init(
        _ time: DailyTime, wallClock: @escaping @Sendable () -> Date = { Date() }, on scheduler: Scheduler,
        longestSleep: Duration = .seconds(60)
    ) {
        self.time = time
        self.wallClock = wallClock
        self.scheduler = scheduler
        self.longestSleep = longestSleep
    }

    /// The occurrences, each sent when it is due. If several have passed during a jump, only the first one is sent.
    package var occurrences: SignalProducer<Date, Never> {
        SignalProducer.deferred {
            // Every occurrence up to this date has been handled.
            let handled = MutableProperty(wallClock())
            return SignalProducer.deferred {
                SignalProducer.timer(
                    after: sleep(after: handled.value), on: scheduler)
            }
            .map { _ in handled.modify { takeDue(after: &$0) } }
            .repeatForever()
            .skipNil()
        }
    }

    /// Computed again after each sleep, so a jump of the wall clock cannot make it
    /// wrong for long.
    private func sleep(after handled: Date) -> Duration {
        let remaining = time.next(after: handled).timeIntervalSince(wallClock())
        return min(.seconds(max(remaining, 0)), longestSleep)
    }

    /// Returns the occurrence to send now, if there is one.
    private func takeDue(after handled: inout Date) -> Date? {
        let now = wallClock()
        if now < handled {
            // The clock went back. What has been sent is not sent again, unless the old
            // date was plainly wrong.
            if handled.timeIntervalSince(now) > 24 * 60 * 60 { handled = now }
            return nil
        }
        let next = time.next(after: handled)
        handled = now
        return next <= now ? next : nil
    }
}
