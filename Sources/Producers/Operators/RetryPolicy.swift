/// When a producer that has failed is started again: how often, after what delays, for which errors, and until when.
///
///     users.retry(.exponential(from: .milliseconds(100), cap: .seconds(5), jitter: 0.5, upTo: 6), on: QueueScheduler())
///
/// Used by ``SignalProducer/retry(_:on:)``.
public struct RetryPolicy<Failure: Error>: Sendable {
    let initialDelay: Double
    let factor: Double
    let cap: Double
    let jitter: Double
    let limit: Int
    let deadline: Duration?
    let generator: @Sendable () -> any RandomNumberGenerator
    let shouldRetry: @Sendable (Failure, Int) -> Bool

    /// Delays that grow by a factor from one attempt to the next.
    ///
    /// With `.exponential(from: .seconds(1), cap: .seconds(5))`, work that fails at once is attempted after 0, 1, 3, 7, 12, 17, ... seconds.
    ///
    /// The delays are whole nanoseconds. With `factor: 1` they are all alike.
    ///
    /// - Parameters:
    ///   - initialDelay: From the first failure to the second attempt. Traps if negative.
    ///   - factor: What each further delay is multiplied with. Traps unless it is finite and at least 1.
    ///   - cap: What no delay exceeds, the first one neither. Traps if negative.
    ///   - jitter: The share of each delay that is left to chance, so that clients that failed together do not come back together:
    ///     a delay of `d` becomes anything from `d * (1 - jitter)` to `d`. Traps unless it is in `0...1`.
    ///   - limit: How many further attempts there are at most; as many as need be if `nil`. Traps if negative.
    ///   - deadline: How long after the start the last attempt may begin. If the next would begin later, the error is passed on at
    ///     once instead of being waited upon. An attempt in progress is not ended by it; that is what `timeout` is for. Traps if
    ///     negative.
    ///   - generator: What the jitter is drawn from. Made anew for each start of the producer, once that has failed; so with
    ///     a seed, each start has the same delays.
    ///   - shouldRetry: Whether an error is worth another attempt. It also gets the number of the attempt that failed, from 1, and
    ///     is not asked if no attempt is left.
    public static func exponential(
        from initialDelay: Duration, by factor: Double = 2, cap: Duration? = nil, jitter: Double = 0,
        upTo limit: Int? = nil, deadline: Duration? = nil,
        using generator: @autoclosure @escaping @Sendable () -> any RandomNumberGenerator =
            SystemRandomNumberGenerator(),
        shouldRetry: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        func check(_ condition: Bool, _ argument: String, _ rule: String) {
            require(condition, "RetryPolicy.exponential(\(argument)): \(rule)")
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

    /// In nanoseconds, a century: what no delay exceeds, however often its factor was applied.
    private static var longest: Int { 3_155_760_000_000_000_000 }
}

/// What a policy says about one start of a producer.
@usableFromInline
final class RetryPacing<Failure: Error>: @unchecked Sendable {
    // Sendable: an attempt begins after the one before has ended, so only one failure is asked about at a time.
    private let policy: RetryPolicy<Failure>
    private let elapsed: @Sendable () -> Duration
    /// The next delay in nanoseconds, before the cap and the jitter.
    private var delay: Double
    private var generator: (any RandomNumberGenerator)?

    /// - Parameter elapsed: How long ago the producer was started.
    @usableFromInline
    init(_ policy: RetryPolicy<Failure>, elapsed: @escaping @Sendable () -> Duration) {
        self.policy = policy
        self.elapsed = elapsed
        delay = policy.initialDelay
    }

    /// How long to wait for the next attempt after one that failed, or nil if there is none.
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

    /// A number in `0..<1`.
    private static func share(_ generator: inout some RandomNumberGenerator) -> Double {
        .random(in: 0..<1, using: &generator)
    }
}
