import HotSignals

/// The token buckets of a keyed limiter.
final class KeyedBuckets: Sendable {
    /// A bucket. Its key is in a subclass.
    class Entry: KeyTableEntry, @unchecked Sendable {
        // Sendable: a subclass adds a constant key.
        let hash: Int
        let bucket: TokenBucket

        init(_ hash: Int, _ rate: TokenRate) {
            self.hash = hash
            bucket = TokenBucket(rate)
        }
    }

    private final class KeyedEntry<Key: Hashable & Sendable>: Entry, @unchecked Sendable {
        let key: Key

        init(_ key: Key, _ hash: Int, _ rate: TokenRate) {
            self.key = key
            super.init(hash, rate)
        }

        /// All keys of one limiter have the same type.
        static func of(_ entry: Entry) -> KeyedEntry { unsafeDowncast(entry, to: KeyedEntry.self) }
    }

    private struct State {
        var table = KeyTable<Entry>()
        /// Each entry once, in the order in which their buckets will be full, as it was when that was last looked up.
        /// It can only have become later.
        var order = PriorityQueue<Int128, Entry>()
    }

    let rate: TokenRate
    private let maxKeys: Int
    private let state = Locked(State())

    init(_ rate: TokenRate, maxKeys: Int) {
        self.rate = rate
        self.maxKeys = maxKeys
    }

    /// How many keys it remembers.
    var count: Int { state.withLock { $0.table.count } }

    /// The bucket of a key, or `nil` if the key has none. Compares keys, so call it under no lock.
    func known(_ key: some Hashable & Sendable) -> TokenBucket? { find(key, key.hashValue).entry?.bucket }

    private func find<Key: Hashable & Sendable>(
        _ key: Key, _ hash: Int
    ) -> (entry: Entry?, match: KeyTable<Entry>.Match) {
        let match = state.withLock { $0.table[hash] }
        return (match.first { KeyedEntry<Key>.of($0).key == key }, match)
    }

    /// The bucket of a key, which is a new one if the key has none. Compares keys, so call it under no lock.
    func bucket<Key: Hashable & Sendable>(for key: Key, at now: Int128) -> TokenBucket {
        let hash = key.hashValue
        var new: Entry?
        while true {
            let (found, match) = find(key, hash)
            if let found { return found.bucket }
            let entry = new ?? KeyedEntry(key, hash, rate)
            new = entry
            if insert(entry, ifStill: match, at: now) { return entry.bucket }
        }
    }

    /// Inserts an entry if the entries with its hash value are still those that have been compared.
    private func insert(_ entry: Entry, ifStill match: KeyTable<Entry>.Match, at now: Int128) -> Bool {
        let (isInserted, forgotten) = state.withLock { state -> (Bool, (Entry?, Entry?)) in
            guard state.table[entry.hash] === match else { return (false, (nil, nil)) }
            let forgotten = makeRoom(&state, at: now)
            // One of these may have been forgotten.
            state.table.insert(entry, to: state.table[entry.hash])
            // A new bucket is full: it is looked up again before another one is forgotten in its place.
            state.order.insert(entry, at: now &+ rate.interval)
            return (true, forgotten)
        }
        // The keys are released outside the lock.
        withExtendedLifetime(forgotten) {}
        return isInserted
    }

    /// Forgets up to two full buckets, so that the table shrinks, and one that is not full if there is no other room.
    /// Call under the lock.
    private func makeRoom(_ state: inout State, at now: Int128) -> (Entry?, Entry?) {
        var forgotten: (Entry?, Entry?)
        while let (time, entry) = state.order.first {
            let needsRoom = state.table.count >= maxKeys
            guard needsRoom || time <= now && forgotten.1 == nil else { break }
            state.order.popFirst()
            let current = entry.bucket.fullTime(at: now)
            if current > now, !needsRoom || current > time {
                state.order.insert(entry, at: current)
                continue
            }
            entry.bucket.forget()
            _ = state.table.remove(entry)
            if forgotten.0 == nil { forgotten.0 = entry } else { forgotten.1 = entry }
        }
        return forgotten
    }
}
