import HotSignals
import ReactiveProperties

/// The entries of a ``KeyedProperty``. A key has an entry while it has a value, or while somebody uses it.
@usableFromInline
final class KeyedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Entry = KeyedEntry<Key, Value>

    /// The number of keys with a value.
    @usableFromInline let count = MutableProperty(0)
    private let input: Signal<KeyedChange<Key, Value>, Never>.Observer
    /// The number of changes that have yet to be sent into `input`, and one while the dictionary exists. Whoever takes
    /// the last one away completes `input`.
    private let unsent = AtomicWord(1)
    private let state = Locked(KeyTable<AnyKeyedEntry>())
    private let hasEnded = AtomicFlag()

    @usableFromInline
    init(_ input: Signal<KeyedChange<Key, Value>, Never>.Observer) { self.input = input }

    // MARK: Entries. The keys are compared under no lock.

    private func find(_ key: Key, _ hash: Int) -> (entry: Entry?, match: KeyTable<AnyKeyedEntry>.Match) {
        let match = state.withLock { $0[hash] }
        return (match.first { Entry.of($0).key == key }.map(Entry.of), match)
    }

    /// The entry of a key, if there is one.
    @usableFromInline
    func known(_ key: Key) -> Entry? { find(key, key.hashValue).entry }

    /// The same, which stays in the table until ``endUse(of:)``.
    @usableFromInline
    func useKnown(_ key: Key) -> Entry? {
        let hash = key.hashValue
        while let (entry, match) = Optional(find(key, hash)), let entry {
            let isUsed = state.withLock { table in
                if table[hash] === match { entry.uses += 1 }
                return table[hash] === match
            }
            if isUsed { return entry }
        }
        return nil
    }

    /// The entry of a key, made if there is none, which stays in the table until ``endUse(of:)``.
    @usableFromInline
    func use(_ key: Key) -> Entry {
        let hash = key.hashValue
        var new: Entry?
        while true {
            let (found, match) = find(key, hash)
            if found == nil, new == nil { new = makeEntry(key, hash) }
            let entry = found ?? new.unsafelyUnwrapped
            let isUsed = state.withLock { table in
                guard table[hash] === match else { return false }
                if found == nil { table.insert(entry, to: match) }
                entry.uses += 1
                return true
            }
            if isUsed, hasEnded.isRaised { entry.property.root.end() }
            if isUsed { return entry }
        }
    }

    private func makeEntry(_ key: Key, _ hash: Int) -> Entry {
        let entry = Entry(key, hash)
        // The entry is in the table as long as a change is announced. Its end releases the closure.
        entry.property.signal.observeNext { [unowned entry] value in
            self.input.sendNext(KeyedChange(key: key, value: value))
            self.endChange(of: entry)
        }
        return entry
    }

    /// Keeps an entry in the table until its next event has been sent, which a thread of the library may do later. So the
    /// next entry of the key, and the end, send after it.
    @usableFromInline
    func announceChange(of entry: AnyKeyedEntry) {
        state.withLock { _ in entry.uses += 1 }
        _ = unsent.acquire(adding: 1)
    }

    /// Runs a change of entries, each of which sends one event, or none if it throws.
    @_alwaysEmitIntoClient
    func change<Result, Refusal: Error>(
        _ entries: [Entry], _ body: () throws(Refusal) -> Result
    ) throws(Refusal) -> Result {
        for entry in entries { announceChange(of: entry) }
        do {
            return try body()
        } catch {
            for entry in entries { endChange(of: entry) }
            throw error
        }
    }

    /// - Parameter entry: Announced before, and changed or left as it is.
    @usableFromInline
    func endChange(of entry: AnyKeyedEntry) {
        endUse(of: entry)
        if unsent.release(subtracting: 1) == 1 { PassiveSection.run { input.sendCompleted() } }
    }

    /// Removes the entry if nobody uses it and the key has no value.
    @usableFromInline
    func endUse(of entry: AnyKeyedEntry) {
        state.withLock { table in
            entry.uses -= 1
            // Whoever has changed the value has been a user. The caller retains the entry.
            if entry.uses == 0, !entry.hasValue { _ = table.remove(entry) }
        }
    }

    // MARK: Reading

    @usableFromInline
    func property(for key: Key) -> Property<Value?> {
        let use = Use(self, self.use(key))
        // Everything derived from the property retains the closure.
        return use.entry.property.map { value in
            withExtendedLifetime(use) {}
            return value
        }
    }

    private var entries: [Entry] { state.withLock { $0.all }.map(Entry.of) }

    @usableFromInline
    var values: [Key: Value] {
        var attempts = 0
        while true {
            let entries = entries
            let (values, count) = Property.combineLatest(entries.map { $0.property }).combineLatest(with: count).value
            // Otherwise a key has been added or removed in the meantime.
            if let found = Self.dictionary(entries, values, count: count) { return found }
            attempts += 1
            // A body or a closure cannot keep other threads out.
            if attempts >= 3, !PureSection.isCurrent, let found = valuesWhileKeysStay() { return found }
        }
    }

    /// Reads while no key can be added or removed. Others can be set.
    private func valuesWhileKeysStay() -> [Key: Value]? {
        var found: [Key: Value]?
        try? Property<Never>.transaction([count]) { count throws(Unchanged) in
            let entries = entries
            found = Self.dictionary(
                entries, Property.combineLatest(entries.map { $0.property }).value, count: count[0])
            throw Unchanged()
        }
        return found
    }

    /// `nil` if another number of keys has a value.
    private static func dictionary(_ entries: [Entry], _ values: [Value?], count: Int) -> [Key: Value]? {
        let present = zip(entries, values).compactMap { entry, value in value.map { (entry.key, $0) } }
        // Keys that were changed to be equal are the user's mistake.
        return present.count == count ? Dictionary(present) { $1 } : nil
    }

    /// Traps in a body or in a closure that computes, as a change does.
    @usableFromInline
    func refuseSections() {
        if PureSection.isCurrent {
            try? Property<Never>.transaction([count]) { _ throws(Unchanged) in throw Unchanged() }
        }
    }

    /// Keeps an entry in the table.
    private final class Use: Sendable {
        let entry: Entry
        private let table: KeyedTable

        init(_ table: KeyedTable, _ entry: Entry) { (self.table, self.entry) = (table, entry) }

        deinit { table.endUse(of: entry) }
    }

    /// Completes the signals.
    @usableFromInline
    func end() {
        // Before: what is added later ends by itself.
        hasEnded.raise()
        for entry in state.withLock({ $0.all }) { Entry.of(entry).property.root.end() }
        count.root.end()
        if unsent.release(subtracting: 1) == 1 { PassiveSection.run { input.sendCompleted() } }
    }
}

/// Ends a transaction without a change.
@usableFromInline
struct Unchanged: Error {
    @usableFromInline
    init() {}
}

/// The entry of a key. The key and its property are in a subclass.
@usableFromInline
class AnyKeyedEntry: KeyTableEntry, @unchecked Sendable {
    // Sendable: the comments say what guards the variables.
    @usableFromInline let hash: Int
    /// Guarded by the lock of the table. The number of those who may give the key a value or who observe it.
    @exclusivity(unchecked) final var uses = 0
    /// Whether the key has a value. Written in a transaction of the property, by a user.
    @exclusivity(unchecked) @usableFromInline final var hasValue = false

    init(_ hash: Int) { self.hash = hash }
}

@usableFromInline
final class KeyedEntry<Key: Hashable & Sendable, Value: Sendable>: AnyKeyedEntry, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    let key: Key
    @usableFromInline let property = MutableProperty<Value?>(nil)

    init(_ key: Key, _ hash: Int) {
        self.key = key
        super.init(hash)
    }

    /// All entries of one table have the same type.
    static func of(_ entry: AnyKeyedEntry) -> KeyedEntry { unsafeDowncast(entry, to: KeyedEntry.self) }

    /// Sets the value if there is one. Returns whether there was.
    @usableFromInline
    func replace(with value: Value) -> Bool {
        do {
            try Property<Never>.transaction([property]) { current throws(Unchanged) in
                if current[0] == nil { throw Unchanged() }
                current[0] = value
            }
            return true
        } catch {
            return false
        }
    }
}
