/// Decides how often, after what delays, for which errors and until when a failed producer is retried.
///
/// ```swift
/// users.retry(.exponential(from: .milliseconds(100), cap: .seconds(5), jitter: 0.5, upTo: 6), on: QueueScheduler())
/// ```
///
/// Pass a policy to ``SignalProducer/retry(_:on:)``.
public struct RetryPolicy<Failure: Error>: Sendable {
    /// How the delays follow one another, in nanoseconds.
    enum Growth: Sendable {
        case factor(Double)
        case step(Double)
        /// Random, between the initial delay and this multiple of the previous one.
        case decorrelated(Double)
        case custom(@Sendable (Failure, Int) -> Duration?)
    }

    var initialDelay = 0.0
    let growth: Growth
    var cap = Double(RetryPolicy.longest)
    var jitter = 0.0
    var limit = Int.max
    var deadline: Duration?
    var generator: @Sendable () -> any RandomNumberGenerator = { SystemRandomNumberGenerator() }
    var shouldRetry: @Sendable (Failure, Int) -> Bool = { _, _ in true }
    /// Whether a value ends a series of failures.
    var resetsOnValue = false
    /// How long an attempt has to run to end a series of failures. `nil` if none does.
    var resetTime: Duration?

    /// Creates a policy whose delays are all equal.
    ///
    /// - Parameters:
    ///   - delay: The delay between a failure and the next attempt. Traps if negative.
    ///   - jitter: The share of each delay that is random: see
    ///     ``exponential(from:by:cap:jitter:upTo:deadline:using:shouldRetry:)``. Traps unless in `0...1`.
    ///   - limit: The maximum number of additional attempts. With `nil` there is no maximum. Traps if negative.
    ///   - deadline: How long after the start the last attempt may begin. Traps if negative.
    ///   - generator: The source of the jitter, created separately for each start, at the first failure.
    ///   - shouldRetry: Whether to retry after an error. Also receives the number of the attempt that failed.
    public static func constant(
        _ delay: Duration, jitter: Double = 0, upTo limit: Int? = nil, deadline: Duration? = nil,
        using generator: @autoclosure @escaping @Sendable () -> any RandomNumberGenerator =
            SystemRandomNumberGenerator(),
        shouldRetry: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        require(delay >= .zero, "RetryPolicy.constant(\(delay)): the delay must not be negative")
        let policy = RetryPolicy(
            initialDelay: Double(delay.nanoseconds), growth: .factor(1), jitter: jitter, limit: limit ?? .max,
            deadline: deadline, generator: generator, shouldRetry: shouldRetry)
        policy.check("RetryPolicy.constant")
        return policy
    }

    /// Creates a policy whose delays grow by a constant step.
    ///
    /// With `.linear(from: .seconds(1), by: .seconds(2))`, the delays are 1, 3, 5, 7, ... seconds.
    ///
    /// - Parameters:
    ///   - initialDelay: The delay between the first failure and the second attempt. Traps if negative.
    ///   - step: The difference between one delay and the next. By default, the initial delay. Traps if negative.
    ///   - cap: The maximum of every delay, including the first. Traps if negative.
    ///   - jitter: The share of each delay that is random: see
    ///     ``exponential(from:by:cap:jitter:upTo:deadline:using:shouldRetry:)``. Traps unless in `0...1`.
    ///   - limit: The maximum number of additional attempts. With `nil` there is no maximum. Traps if negative.
    ///   - deadline: How long after the start the last attempt may begin. Traps if negative.
    ///   - generator: The source of the jitter, created separately for each start, at the first failure.
    ///   - shouldRetry: Whether to retry after an error. Also receives the number of the attempt that failed.
    public static func linear(
        from initialDelay: Duration, by step: Duration? = nil, cap: Duration? = nil, jitter: Double = 0,
        upTo limit: Int? = nil, deadline: Duration? = nil,
        using generator: @autoclosure @escaping @Sendable () -> any RandomNumberGenerator =
            SystemRandomNumberGenerator(),
        shouldRetry: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        let step = step ?? initialDelay
        require(initialDelay >= .zero, "RetryPolicy.linear(from: \(initialDelay)): the delay must not be negative")
        require(step >= .zero, "RetryPolicy.linear(by: \(step)): the step must not be negative")
        let policy = RetryPolicy(
            initialDelay: Double(initialDelay.nanoseconds), growth: .step(Double(step.nanoseconds)),
            cap: capNanoseconds("RetryPolicy.linear", cap), jitter: jitter, limit: limit ?? .max,
            deadline: deadline, generator: generator, shouldRetry: shouldRetry)
        policy.check("RetryPolicy.linear")
        return policy
    }

    /// Creates a policy with random delays that grow from the previous one.
    ///
    /// Each delay is random, between `base` and three times the previous delay, and at most `cap`. The delays of
    /// clients that failed together spread apart further with each attempt than with the jitter of
    /// ``exponential(from:by:cap:jitter:upTo:deadline:using:shouldRetry:)``.
    ///
    /// - Parameters:
    ///   - base: The minimum of every delay. The first one is at most three times as long. Traps if negative.
    ///   - cap: The maximum of every delay. Traps if less than `base`.
    ///   - limit: The maximum number of additional attempts. With `nil` there is no maximum. Traps if negative.
    ///   - deadline: How long after the start the last attempt may begin. Traps if negative.
    ///   - generator: The source of the delays, created separately for each start, at the first failure.
    ///   - shouldRetry: Whether to retry after an error. Also receives the number of the attempt that failed.
    public static func decorrelatedJitter(
        from base: Duration, cap: Duration, upTo limit: Int? = nil, deadline: Duration? = nil,
        using generator: @autoclosure @escaping @Sendable () -> any RandomNumberGenerator =
            SystemRandomNumberGenerator(),
        shouldRetry: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        require(base >= .zero, "RetryPolicy.decorrelatedJitter(from: \(base)): the delay must not be negative")
        require(cap >= base, "RetryPolicy.decorrelatedJitter(cap: \(cap)): the cap must not be less than \(base)")
        let policy = RetryPolicy(
            initialDelay: Double(base.nanoseconds), growth: .decorrelated(3),
            cap: capNanoseconds("RetryPolicy.decorrelatedJitter", cap), limit: limit ?? .max,
            deadline: deadline, generator: generator, shouldRetry: shouldRetry)
        policy.check("RetryPolicy.decorrelatedJitter")
        return policy
    }

    /// Traps on arguments that all policies share.
    private func check(_ name: StaticString) {
        require((0...1).contains(jitter), "\(name)(jitter: \(jitter)): the jitter must be in 0...1")
        require(limit >= 0, "\(name)(upTo: \(limit)): the limit must not be negative")
        if let deadline {
            require(deadline >= .zero, "\(name)(deadline: \(deadline)): the deadline must not be negative")
        }
    }

    private static func capNanoseconds(_ name: StaticString, _ cap: Duration?) -> Double {
        guard let cap else { return Double(longest) }
        require(cap >= .zero, "\(name)(cap: \(cap)): the cap must not be negative")
        return Double(min(cap.nanoseconds, longest))
    }

    /// Creates a policy whose delays grow by a constant factor.
    ///
    /// With `.exponential(from: .seconds(1), cap: .seconds(5))`, work that fails immediately is attempted after 0, 1,
    /// 3, 7, 12, 17, ... seconds.
    ///
    /// Delays are rounded to nanoseconds. With `factor: 1` all delays are equal.
    ///
    /// - Parameters:
    ///   - initialDelay: The delay between the first failure and the second attempt. Traps if negative.
    ///   - factor: The factor between one delay and the next. Traps unless finite and at least 1.
    ///   - cap: The maximum of every delay, including the first. Traps if negative.
    ///   - jitter: The share of each delay that is random, so that clients that failed together do not retry together:
    ///     a delay of `d` becomes a delay between `d * (1 - jitter)` and `d`. Traps unless in `0...1`.
    ///   - limit: The maximum number of additional attempts. With `nil` there is no maximum. Traps if negative.
    ///   - deadline: How long after the start the last attempt may begin. If the next attempt would begin later, the
    ///     error is sent immediately. The deadline does not end an attempt in progress: use `timeout` for that. Traps
    ///     if negative.
    ///   - generator: The source of the jitter. Created separately for each start of the producer, at the first
    ///     failure, so that a seeded generator gives each start the same delays.
    ///   - shouldRetry: Whether to retry after an error. It also receives the number of the attempt that failed,
    ///     starting at 1. Not called if no attempt is left.
    public static func exponential(
        from initialDelay: Duration, by factor: Double = 2, cap: Duration? = nil, jitter: Double = 0,
        upTo limit: Int? = nil, deadline: Duration? = nil,
        using generator: @autoclosure @escaping @Sendable () -> any RandomNumberGenerator =
            SystemRandomNumberGenerator(),
        shouldRetry: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        require(initialDelay >= .zero, "RetryPolicy.exponential(from: \(initialDelay)): the delay must not be negative")
        require(
            factor >= 1 && factor.isFinite,
            "RetryPolicy.exponential(by: \(factor)): the factor must be finite and at least 1")
        let policy = RetryPolicy(
            initialDelay: Double(initialDelay.nanoseconds), growth: .factor(factor),
            cap: capNanoseconds("RetryPolicy.exponential", cap), jitter: jitter, limit: limit ?? .max,
            deadline: deadline, generator: generator, shouldRetry: shouldRetry)
        policy.check("RetryPolicy.exponential")
        return policy
    }

    /// A century in nanoseconds. No delay exceeds it, however often its factor is applied.
    private static var longest: Int { 3_155_760_000_000_000_000 }
}

extension RetryPolicy {
    /// Creates a policy that computes each delay from the error, such as one with a `Retry-After`.
    ///
    /// ```swift
    /// struct Busy: Error { let retryAfter: Duration? }
    ///
    /// let policy = RetryPolicy<Busy>(upTo: 5) { error, attempt in error.retryAfter ?? .seconds(attempt) }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The maximum number of additional attempts. With `nil` there is no maximum. Traps if negative.
    ///   - deadline: How long after the start the last attempt may begin: see
    ///     ``exponential(from:by:cap:jitter:upTo:deadline:using:shouldRetry:)``. Traps if negative.
    ///   - delay: The time to the next attempt, or `nil` to give up and send the error. It also receives the number of
    ///     the attempt that failed, starting at 1. A negative delay is like zero. Not called if no attempt is left.
    public init(
        upTo limit: Int? = nil, deadline: Duration? = nil,
        delay: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> Duration?
    ) {
        self.init(growth: .custom(delay))
        self.limit = limit ?? .max
        self.deadline = deadline
        check("RetryPolicy")
    }
}

extension RetryPolicy {
    /// Returns this policy, with each success as a new beginning.
    ///
    /// For streams that run for long, such as a connection: a failure after hours of work is the first one again, and
    /// not the last that was left.
    ///
    /// ```swift
    /// users.retry(.exponential(from: .seconds(1), upTo: 5).resetOnSuccess(), on: QueueScheduler())
    /// ```
    ///
    /// After a success, the next failure has the number 1: `upTo:`, the growth of the delays and the deadline begin
    /// anew with it. A circuit breaker ignores this, because it begins anew each time it closes.
    ///
    /// - Parameter time: How long an attempt has to run to be a success. By default, any value that it sends makes it
    ///   one. Traps if negative.
    public func resetOnSuccess(after time: Duration? = nil) -> RetryPolicy {
        var policy = self
        if let time {
            require(time >= .zero, "RetryPolicy.resetOnSuccess(after: \(time)): the time must not be negative")
            policy.resetTime = time
        } else {
            policy.resetsOnValue = true
        }
        return policy
    }

    /// The same policy, for failures between which nothing succeeds.
    package var withoutReset: RetryPolicy {
        var policy = self
        (policy.resetsOnValue, policy.resetTime) = (false, nil)
        return policy
    }
}

/// The state of a policy for one start of a producer, or for one series of failures.
@usableFromInline
package final class RetryPacing<Failure: Error>: @unchecked Sendable {
    // Sendable: an attempt begins after the previous one has ended, so failures are handled one at a time.
    private let policy: RetryPolicy<Failure>
    private let elapsed: @Sendable () -> Duration
    /// The next delay in nanoseconds, before the cap and the jitter.
    private var delay: Double
    private var generator: (any RandomNumberGenerator)?
    /// The number of attempts that failed before this series of failures.
    private var formerAttempts = 0
    /// When this series began.
    private var begin = Duration.zero
    private var attemptBegin = Duration.zero
    /// Whether the attempt has sent a value.
    private var hasValue = false

    /// - Parameter elapsed: Returns the time since the producer was started.
    @usableFromInline
    package init(_ policy: RetryPolicy<Failure>, elapsed: @escaping @Sendable () -> Duration) {
        self.policy = policy
        self.elapsed = elapsed
        delay = policy.initialDelay
    }

    /// Whether a success ends a series of failures. Otherwise the pacing need not know of attempts and values.
    @usableFromInline package var canReset: Bool { policy.resetsOnValue || policy.resetTime != nil }

    /// An attempt begins.
    @usableFromInline
    func beginAttempt() {
        hasValue = false
        attemptBegin = elapsed()
    }

    /// The attempt has sent a value.
    @usableFromInline
    func noteValue() { hasValue = true }

    private var hasSucceeded: Bool {
        if policy.resetsOnValue && hasValue { return true }
        guard let time = policy.resetTime else { return false }
        return elapsed() - attemptBegin >= time
    }

    /// Returns how long to wait before the next attempt, or `nil` if there is none.
    @usableFromInline
    package func delay(after error: Failure, attempt: Int) -> Duration? {
        if canReset, hasSucceeded {
            formerAttempts = attempt - 1
            delay = policy.initialDelay
            begin = elapsed()
        }
        let attempt = attempt - formerAttempts
        guard attempt <= policy.limit, policy.shouldRetry(error, attempt) else { return nil }
        let delay: Duration
        if case .custom(let custom) = policy.growth {
            guard let chosen = custom(error, attempt) else { return nil }
            delay = chosen.limitedForSums
        } else {
            delay = .nanoseconds(Int64(nextDelay().rounded()))
        }
        if let deadline = policy.deadline, elapsed() - begin + delay > deadline { return nil }
        return delay
    }

    private func nextDelay() -> Double {
        let full = min(delay, policy.cap)
        switch policy.growth {
        case .factor(let factor): delay = full * factor
        case .step(let step): delay = full + step
        case .decorrelated(let factor):
            delay = policy.initialDelay + nextShare() * max(0, full * factor - policy.initialDelay)
            delay = min(delay, policy.cap)
            return delay
        case .custom: break
        }
        return policy.jitter > 0 ? full * (1 - policy.jitter * nextShare()) : full
    }

    private func nextShare() -> Double {
        var generator = generator ?? policy.generator()
        defer { self.generator = generator }
        return Self.share(&generator)
    }

    /// A random number in `0..<1`.
    private static func share(_ generator: inout some RandomNumberGenerator) -> Double {
        .random(in: 0..<1, using: &generator)
    }
}
