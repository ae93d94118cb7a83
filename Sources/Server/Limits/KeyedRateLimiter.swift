extension RateLimiter {
    /// Limits the rate separately for each key, such as a client, and forgets keys that have all their permits again.
    ///
    /// ```swift
    /// let clock = TestScheduler()
    /// let limiter = RateLimiter.Keyed<String>(1, per: .seconds(1), maxKeys: 10_000, on: clock)
    /// print(limiter.tryAcquire(for: "ada"), limiter.tryAcquire(for: "ada"))  // prints true false
    /// print(limiter.tryAcquire(for: "grace"))                                // prints true
    /// ```
    ///
    /// Like ``RateLimiter``, with a token bucket per key.
    ///
    /// **Memory** is proportional to the keys in use, and to `maxKeys` at most. A key whose bucket is full again is
    /// like a new one, so it is forgotten when other keys come. If a new key comes and `maxKeys` buckets are not full,
    /// the one that is full first is forgotten early: that key can acquire a burst again. So choose `maxKeys` larger
    /// than the number of clients that use their permits at the same time. Callers that wait for permits of a forgotten
    /// key still get them, in order.
    ///
    /// Finding a key takes constant time. Adding one takes logarithmic time, averaged over many calls.
    ///
    /// **Keys**: `==` and `hash(into:)` are called outside the limiter's lock, so they may use the limiter. Equal keys
    /// with different hash values are different keys.
    public final class Keyed<Key: Hashable & Sendable>: Sendable {
        private let buckets: KeyedBuckets

        /// Creates a limiter that knows no key.
        ///
        /// - Parameters:
        ///   - count: How many permits are added per period and key. Traps unless positive.
        ///   - period: Traps unless positive.
        ///   - burst: How many permits a key has at most. By default, `count`. Traps unless positive.
        ///   - maxKeys: How many keys to remember at most. Traps unless positive.
        ///   - scheduler: Measures the time, and resumes those that wait.
        public init(
            _ count: Int, per period: Duration, burst: Int? = nil, maxKeys: Int, on scheduler: some DelayScheduler
        ) {
            let burst = burst ?? count
            requireRate("RateLimiter.Keyed", count, period, burst)
            require(maxKeys > 0, "RateLimiter.Keyed(maxKeys: \(maxKeys)): the number of keys must be positive")
            buckets = KeyedBuckets(TokenRate(count, per: period, burst: burst, on: scheduler), maxKeys: maxKeys)
        }

        /// How many keys it remembers, some of which may have all their permits again.
        public var count: Int { buckets.count }

        /// Acquires permits of a key if they are available and nobody waits for any.
        ///
        /// - Parameters:
        ///   - permits: How many. Traps unless positive and at most the burst.
        ///   - key: The key.
        /// - Returns: Whether the permits have been acquired. If not, none has.
        public func tryAcquire(_ permits: Int = 1, for key: Key) -> Bool {
            requirePermits("tryAcquire", permits, buckets.rate)
            let now = buckets.rate.now()
            while true {
                let answer = buckets.bucket(for: key, at: now).take(permits, at: now)
                if answer != .forgotten { return answer == .granted }
            }
        }

        /// The time until permits of a key would be available to a caller that joins its line now. Acquires nothing,
        /// and remembers no new key.
        ///
        /// - Parameters:
        ///   - permits: How many. Traps unless positive and at most the burst.
        ///   - key: The key.
        public func delay(_ permits: Int = 1, for key: Key) -> Duration {
            requirePermits("delay", permits, buckets.rate)
            return buckets.known(key)?.delay(for: permits, at: buckets.rate.now()) ?? .zero
        }

        /// Waits until permits of a key are available, behind those that already wait for that key, and acquires them.
        ///
        /// - Parameters:
        ///   - permits: How many. Traps unless positive and at most the burst.
        ///   - key: The key.
        /// - Throws: `CancellationError` if the task is cancelled before the permits have been acquired, or if the
        ///   scheduler releases the timer without running it. Then none has been.
        public nonisolated(nonsending) func acquire(_ permits: Int = 1, for key: Key) async throws(CancellationError) {
            requirePermits("acquire", permits, buckets.rate)
            try await TokenRequest.wait(for: permits) { buckets.bucket(for: key, at: buckets.rate.now()) }
        }
    }
}
