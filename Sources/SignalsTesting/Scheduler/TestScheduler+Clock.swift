import HotSignals
import ReactiveSignals

extension TestScheduler: Clock {
    /// The smallest duration: virtual time is exact.
    public var minimumResolution: Swift.Duration { Swift.Duration(secondsComponent: 0, attosecondsComponent: 1) }

    /// Suspends the task until the time has advanced to an instant.
    ///
    /// Tasks and actions that wait for the same instant continue in the order in which they began to wait.
    /// `Task.sleep(for:clock:)` calls this method.
    ///
    /// ```swift
    /// try await Task.sleep(for: .seconds(3), clock: scheduler)
    /// ```
    ///
    /// - Parameters:
    ///   - deadline: If it is not in the future, the task continues immediately.
    ///   - tolerance: Ignored.
    /// - Throws: `CancellationError` immediately when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        try Task.checkCancellation()
        let sleeper = Sleeper()
        let alarm = TestAction({ sleeper.wake() }, of: self)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.sleep(continuation) else { return }
                let isFuture = withLock {
                    guard time < deadline else { return false }
                    insert(Entry(action: alarm.action, repetition: nil), at: deadline)
                    return true
                }
                if !isFuture { sleeper.wake() }
            }
        } onCancel: {
            alarm.dispose()
            sleeper.wake(throwing: CancellationError())
        }
    }
}

/// A task that waits for an instant. It is woken once, by the time or by its cancellation.
private final class Sleeper: Sendable {
    private enum State {
        case awake
        case asleep(CheckedContinuation<Void, any Error>)
        /// Woken. If the task had not slept yet, it was woken by its cancellation.
        case woken
    }

    private let state = Locked(State.awake)

    /// - Returns: Whether the task sleeps. If not, the continuation has been resumed.
    func sleep(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isWoken = state.withLock { state in
            if case .woken = state { return true }
            state = .asleep(continuation)
            return false
        }
        if isWoken { continuation.resume(throwing: CancellationError()) }
        return !isWoken
    }

    func wake(throwing error: CancellationError? = nil) {
        let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
            defer { state = .woken }
            return if case .asleep(let continuation) = state { continuation } else { nil }
        }
        if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
    }
}

extension TestScheduler {
    /// True: actions run in the context of the code that advances the time.
    public var dropsTaskLocals: Bool { true }
}
