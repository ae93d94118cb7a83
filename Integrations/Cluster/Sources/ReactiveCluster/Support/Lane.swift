public import ReactiveSignals

/// The scheduler that runs the work of one object, one piece at a time, in order, outside every lock.
///
/// State that only the lane uses needs no lock.
struct Lane: Sendable {
    let scheduler: any DelayScheduler
    private let elapsed: @Sendable () -> Duration

    init(_ scheduler: some DelayScheduler) {
        self.scheduler = scheduler
        let origin = scheduler.now
        elapsed = { origin.duration(to: scheduler.now) }
    }

    /// The time since the lane was created. Monotonic.
    var now: Duration { elapsed() }

    func run(_ action: @escaping @Sendable () -> Void) { scheduler.schedule(action) }

    @discardableResult
    func run(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        scheduler.schedule(after: delay, action)
    }

    /// Runs the action at each interval.
    func run(every interval: Duration, _ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        scheduler.schedule(after: interval, interval: interval, leeway: interval / 10, action)
    }

    /// Calls a function until it succeeds, or the policy gives up.
    func retrying<Value: Sendable>(
        _ policy: RetryPolicy<TransportError>,
        _ operation: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        let attempts = SignalProducer<Value, TransportError>.async(operation)
        // `nil` only if this task was cancelled.
        guard let value = try await attempts.retry(policy, on: scheduler).first() else { throw .cancelled }
        return value
    }
}

extension RetryPolicy where Failure == TransportError {
    /// Retries what may succeed later: after 50 milliseconds, then after longer delays of at most 2 seconds, with
    /// jitter. Gives up 30 seconds after the first attempt.
    ///
    /// That is within the duplicate window of streams and buckets, so that a repeated write has no second effect.
    public static var transient: RetryPolicy {
        .exponential(
            from: .milliseconds(50), cap: .seconds(2), jitter: 0.5, deadline: .seconds(30),
            shouldRetry: { error, _ in error.isTransient })
    }

    /// Retries what may succeed later, for ever: after 50 milliseconds, then after longer delays of at most 2 seconds,
    /// with jitter.
    public static var untilReconnected: RetryPolicy {
        .exponential(
            from: .milliseconds(50), cap: .seconds(2), jitter: 0.5, shouldRetry: { error, _ in error.isTransient })
    }
}
