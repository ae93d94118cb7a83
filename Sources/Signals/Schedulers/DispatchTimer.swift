import Dispatch

/// An action that runs on a queue after a delay, once or repeatedly.
final class DispatchTimer: Disposable, @unchecked Sendable {
    // Sendable: all fields are constants, and a dispatch source may be used from any thread.

    private let action: ScheduledAction
    /// Its handler keeps this object alive until the source is cancelled.
    private let source: any DispatchSourceTimer

    /// - Parameter interval: `nil` to run once.
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
    /// Converts a duration. A duration of more than 292 years becomes `never`.
    init(_ duration: Duration) {
        let nanoseconds = duration.nanoseconds
        self = nanoseconds == .max ? .never : .nanoseconds(nanoseconds)
    }
}
