import Dispatch

/// An action on a queue that runs later, once or again and again.
final class DispatchTimer: Disposable, @unchecked Sendable {
    // Sendable: nothing changes, and a dispatch source may be used from any thread.

    private let action: ScheduledAction
    /// Keeps this object alive, through its handler, until it is cancelled.
    private let source: any DispatchSourceTimer

    /// - Parameter interval: Nil to run once.
    init(
        on queue: DispatchQueue, after delay: Duration, interval: Duration?, leeway: Duration,
        _ action: @escaping @Sendable () -> Void
    ) {
        self.action = ScheduledAction(action)
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(
            deadline: .now() + DispatchTimeInterval(max(delay, .zero)),
            repeating: interval.map { DispatchTimeInterval($0) } ?? .never,
            leeway: DispatchTimeInterval(max(leeway, .zero)))
        source.setEventHandler { [self] in
            if interval == nil {
                self.action.run()
                source.cancel()
            } else {
                self.action.runAgain()
            }
        }
        source.activate()
    }

    var isDisposed: Bool { action.isDisposed }

    func dispose() {
        action.dispose()
        source.cancel()
    }
}

extension DispatchTimeInterval {
    /// The same. Beyond 292 years it is `never`.
    init(_ duration: Duration) {
        let nanoseconds = duration.nanoseconds
        self = nanoseconds == .max ? .never : .nanoseconds(nanoseconds)
    }
}
