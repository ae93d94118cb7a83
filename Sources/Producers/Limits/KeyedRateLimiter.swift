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
        fileprivate final class Entry: KeyTableEntry {
            let key: Key
            let hash: Int
            let bucket: TokenBucket

            init(_ key: Key, _ hash: Int, _ rate: TokenRate) {
                self.key = key
                self.hash = hash
                bucket = TokenBucket(rate)
            }
        }

        private struct State {
            var table = KeyTable<Entry>()
            /// Each entry once, in the order in which their buckets will be full, as it was when that was last looked
            /// up. It can only have become later.
            var order = PriorityQueue<Int128, Entry>()
        }

        private let rate: TokenRate
        private let maxKeys: Int
        private let state = Locked(State())

        /// Creates a limiter that knows no key.
        ///
        /// - Parameters:
        ///   - count: How many permits are added per period and key. Traps unless positive.
        ///   - period: Traps unless positive.
        ///   - burst: How many permits a key has at most. By default, `count`. Traps unless positive.
        ///   - maxKeys: How many keys to remember at most. Traps unless positive.
        ///   - scheduler: Measures the time, and resumes those that wait.
        ///   - file: The file that a trap names.
        ///   - line: The line that a trap names.
        public init(
            _ count: Int, per period: Duration, burst: Int? = nil, maxKeys: Int, on scheduler: some DelayScheduler,
            file: StaticString = #fileID, line: UInt = #line
        ) {
            let burst = burst ?? count
            requireRate("RateLimiter.Keyed", count, period, burst, file: file, line: line)
            require(
                maxKeys > 0, "RateLimiter.Keyed(maxKeys: \(maxKeys)): the number of keys must be positive", file: file,
                line: line)
            rate = TokenRate(count, per: period, burst: burst, on: scheduler)
            self.maxKeys = maxKeys
        }

        /// How many keys it remembers, some of which may have all their permits again.
        public var count: Int { state.withLock { $0.table.count } }

        /// Acquires permits of a key if they are available and nobody waits for any.
        ///
        /// - Parameters:
        ///   - permits: How many. Traps unless positive and at most the burst.
        ///   - key: The key.
        ///   - file: The file that a trap names.
        ///   - line: The line that a trap names.
        /// - Returns: Whether the permits have been acquired. If not, none has.
        public func tryAcquire(
            _ permits: Int = 1, for key: Key, file: StaticString = #fileID, line: UInt = #line
        ) -> Bool {
            requirePermits("tryAcquire", permits, rate, file: file, line: line)
            let now = rate.now()
            while true {
                let answer = bucket(for: key, at: now).take(permits, at: now)
                if answer != .forgotten { return answer == .granted }
            }
        }

        /// The time until permits of a key would be available to a caller that joins its line now. Acquires nothing,
        /// and remembers no new key.
        ///
        /// - Parameters:
        ///   - permits: How many. Traps unless positive and at most the burst.
        ///   - key: The key.
        ///   - file: The file that a trap names.
        ///   - line: The line that a trap names.
        public func delay(
            _ permits: Int = 1, for key: Key, file: StaticString = #fileID, line: UInt = #line
        ) -> Duration {
            requirePermits("delay", permits, rate, file: file, line: line)
            let hash = key.hashValue
            let entries = state.withLock { $0.table[hash] }
            let entry = entries.first { $0.key == key }
            return entry?.bucket.delay(for: permits, at: rate.now()) ?? .zero
        }

        /// Waits until permits of a key are available, behind those that already wait for that key, and acquires them.
        ///
        /// - Parameters:
        ///   - permits: How many. Traps unless positive and at most the burst.
        ///   - key: The key.
        ///   - file: The file that a trap names.
        ///   - line: The line that a trap names.
        /// - Throws: `CancellationError` if the task is cancelled before the permits have been acquired. Then none has
        ///   been.
        public nonisolated(nonsending) func acquire(
            _ permits: Int = 1, for key: Key, file: StaticString = #fileID, line: UInt = #line
        ) async throws(CancellationError) {
            requirePermits("acquire", permits, rate, file: file, line: line)
            try await TokenRequest.wait(for: permits) { bucket(for: key, at: rate.now()) }
        }

        private func bucket(for key: Key, at now: Int128) -> TokenBucket {
            let hash = key.hashValue
            var seen = state.withLock { $0.table[hash] }
            var new: Entry?
            while true {
                if let entry = seen.first(where: { $0.key == key }) { return entry.bucket }
                let entry = new ?? Entry(key, hash, rate)
                new = entry
                let (isAdded, forgotten) = state.withLock { state -> (Bool, [Entry]) in
                    guard state.table.has(seen, at: hash) else {
                        seen = state.table[hash]
                        return (false, [])
                    }
                    let forgotten = makeRoom(&state, at: now)
                    state.table.insert(entry)
                    // A new bucket is full: it is looked up again before another one is forgotten in its place.
                    state.order.insert(entry, at: now &+ rate.interval)
                    return (true, forgotten)
                }
                // The keys are released outside the lock.
                withExtendedLifetime(forgotten) {}
                if isAdded { return entry.bucket }
            }
        }

        /// Forgets up to two full buckets, so that the table shrinks, and one that is not full if there is no other
        /// room. Call under the lock.
        private func makeRoom(_ state: inout State, at now: Int128) -> [Entry] {
            var forgotten: [Entry] = []
            while let (time, entry) = state.order.first {
                let needsRoom = state.table.count >= maxKeys
                guard needsRoom || time <= now && forgotten.count < 2 else { break }
                state.order.popFirst()
                let current = entry.bucket.fullTime(at: now)
                if current > now, !needsRoom || current > time {
                    state.order.insert(entry, at: current)
                    continue
                }
                entry.bucket.forget()
                _ = state.table.remove(entry)
                forgotten.append(entry)
            }
            return forgotten
        }
    }
}
