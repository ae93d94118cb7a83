/// Decides how often, after what delays, for which errors and until when a failed producer is retried.
///
/// ```swift
/// users.retry(.exponential(from: .milliseconds(100), cap: .seconds(5), jitter: 0.5, upTo: 6), on: QueueScheduler())
/// ```
///
/// Pass a policy to ``SignalProducer/retry(_:on:)``.
public struct RetryPolicy<Failure: Error>: Sendable {
    let initialDelay: Double
    let factor: Double
    let cap: Double
    let jitter: Double
    let limit: Int
    let deadline: Duration?
    let generator: @Sendable () -> any RandomNumberGenerator
    let shouldRetry: @Sendable (Failure, Int) -> Bool

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
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    ///   - shouldRetry: Whether to retry after an error. It also receives the number of the attempt that failed,
    ///     starting at 1. Not called if no attempt is left.
    public static func exponential(
        from initialDelay: Duration, by factor: Double = 2, cap: Duration? = nil, jitter: Double = 0,
        upTo limit: Int? = nil, deadline: Duration? = nil,
        using generator: @autoclosure @escaping @Sendable () -> any RandomNumberGenerator =
            SystemRandomNumberGenerator(),
        file: StaticString = #fileID, line: UInt = #line,
        shouldRetry: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        func check(_ condition: Bool, _ argument: String, _ rule: String) {
            require(condition, "RetryPolicy.exponential(\(argument)): \(rule)", file: file, line: line)
        }
        check(initialDelay >= .zero, "from: \(initialDelay)", "the delay must not be negative")
        check(factor >= 1 && factor.isFinite, "by: \(factor)", "the factor must be finite and at least 1")
        if let cap { check(cap >= .zero, "cap: \(cap)", "the cap must not be negative") }
        check((0...1).contains(jitter), "jitter: \(jitter)", "the jitter must be in 0...1")
        if let limit { check(limit >= 0, "upTo: \(limit)", "the limit must not be negative") }
        if let deadline { check(deadline >= .zero, "deadline: \(deadline)", "the deadline must not be negative") }
        return RetryPolicy(
            initialDelay: Double(initialDelay.nanoseconds), factor: factor,
            cap: Double(min(cap?.nanoseconds ?? longest, longest)), jitter: jitter, limit: limit ?? .max,
            deadline: deadline, generator: generator, shouldRetry: shouldRetry)
    }

    /// A century in nanoseconds. No delay exceeds it, however often its factor is applied.
    private static var longest: Int { 3_155_760_000_000_000_000 }
}

/// The state of a policy for one start of a producer.
@usableFromInline
final class RetryPacing<Failure: Error>: @unchecked Sendable {
    // Sendable: an attempt begins after the previous one has ended, so failures are handled one at a time.
    private let policy: RetryPolicy<Failure>
    private let elapsed: @Sendable () -> Duration
    /// The next delay in nanoseconds, before the cap and the jitter.
    private var delay: Double
    private var generator: (any RandomNumberGenerator)?

    /// - Parameter elapsed: Returns the time since the producer was started.
    @usableFromInline
    init(_ policy: RetryPolicy<Failure>, elapsed: @escaping @Sendable () -> Duration) {
        self.policy = policy
        self.elapsed = elapsed
        delay = policy.initialDelay
    }

    /// Returns how long to wait before the next attempt, or `nil` if there is none.
    @usableFromInline
    func delay(after error: Failure, attempt: Int) -> Duration? {
        guard attempt <= policy.limit, policy.shouldRetry(error, attempt) else { return nil }
        let delay = Duration.nanoseconds(Int64(nextDelay().rounded()))
        if let deadline = policy.deadline, elapsed() + delay > deadline { return nil }
        return delay
    }

    private func nextDelay() -> Double {
        let full = min(delay, policy.cap)
        delay = full * policy.factor
        guard policy.jitter > 0 else { return full }
        var generator = generator ?? policy.generator()
        defer { self.generator = generator }
        return full * (1 - policy.jitter * Self.share(&generator))
    }

    /// A random number in `0..<1`.
    private static func share(_ generator: inout some RandomNumberGenerator) -> Double {
        .random(in: 0..<1, using: &generator)
    }
}
