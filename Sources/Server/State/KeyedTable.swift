import HotSignals
import ReactiveProperties

/// The entries of a ``KeyedProperty``. A key has an entry while it has a value, or while somebody uses it.
@usableFromInline
@_fixed_layout
final class KeyedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Entry = KeyedEntry<Key, Value>

    /// The number of keys with a value.
    @usableFromInline let count = MutableProperty(0)
    @usableFromInline let input: Signal<KeyedChange<Key, Value>, Never>.Observer
    @usableFromInline let entries = KeyedEntries()

    @_alwaysEmitIntoClient
    init(_ input: Signal<KeyedChange<Key, Value>, Never>.Observer) { self.input = input }

    // MARK: Entries. The keys are compared under no lock.

    /// The entry of a key, if there is one.
    @_alwaysEmitIntoClient
    func known(_ key: Key) -> Entry? {
        entries.match(key.hashValue).first { Entry.of($0).key == key }.map { Entry.of($0) }
    }

    /// The same, which stays in the table until ``KeyedEntries/endUse(of:)``.
    @_alwaysEmitIntoClient
    func useKnown(_ key: Key) -> Entry? {
        let hash = key.hashValue
        while true {
            let match = entries.match(hash)
            guard let entry = match.first(where: { Entry.of($0).key == key }) else { return nil }
            if entries.use(entry, ifStill: match) { return Entry.of(entry) }
        }
    }

    /// The entry of a key, made if there is none, which stays in the table until ``KeyedEntries/endUse(of:)``.
    @_alwaysEmitIntoClient
    func use(_ key: Key) -> Entry {
        let hash = key.hashValue
        var new: Entry?
        while true {
            let match = entries.match(hash)
            if let entry = match.first(where: { Entry.of($0).key == key }) {
                if entries.use(entry, ifStill: match) { return Entry.of(entry) }
            } else {
                let entry = new ?? makeEntry(key, hash)
                new = entry
                guard entries.use(entry, ifStill: match, isNew: true) else { continue }
                if entries.hasEnded.isRaised { entry.property.root.end() }
                return entry
            }
        }
    }

    @_alwaysEmitIntoClient
    func makeEntry(_ key: Key, _ hash: Int) -> Entry {
        let entry = Entry(key, hash)
        // The entry is in the table as long as a change is announced. Its end releases the closure.
        entry.property.signal.observeNext { [unowned entry] value in
            self.input.sendNext(KeyedChange(key: key, value: value))
            self.endChange(of: entry)
        }
        return entry
    }

    /// Runs a change of entries, each of which sends one event, or none if it throws.
    @_alwaysEmitIntoClient
    func change<Result, Refusal: Error>(
        _ changed: [Entry], _ body: () throws(Refusal) -> Result
    ) throws(Refusal) -> Result {
        for entry in changed { entries.announceChange(of: entry) }
        do {
            return try body()
        } catch {
            for entry in changed { endChange(of: entry) }
            throw error
        }
    }

    /// - Parameter entry: Announced before, and changed or left as it is.
    @_alwaysEmitIntoClient
    func endChange(of entry: AnyKeyedEntry) {
        if entries.endChange(of: entry) { PassiveSection.run { input.sendCompleted() } }
    }

    // MARK: Reading

    @_alwaysEmitIntoClient
    func property(for key: Key) -> Property<Value?> {
        let use = KeyedUse(entries, self.use(key))
        // Everything derived from the property retains the closure.
        return Entry.of(use.entry).property.map { value in
            withExtendedLifetime(use) {}
            return value
        }
    }

    @_alwaysEmitIntoClient
    var values: [Key: Value] {
        var attempts = 0
        while true {
            let all = entries.all.map { Entry.of($0) }
            let (values, count) = Property.combineLatest(all.map { $0.property }).combineLatest(with: count).value
            // Otherwise a key has been added or removed in the meantime.
            if let found = Self.dictionary(all, values, count: count) { return found }
            attempts += 1
            // A body or a closure cannot keep other threads out.
            if attempts >= 3, !PureSection.isCurrent, let found = valuesWhileKeysStay() { return found }
        }
    }

    /// Reads while no key can be added or removed. Others can be set.
    @_alwaysEmitIntoClient
    func valuesWhileKeysStay() -> [Key: Value]? {
        var (all, values, number): ([Entry], [Value?], Int) = ([], [], 0)
        try? Property<Never>.transaction([count]) { count throws(Unchanged) in
            all = entries.all.map { Entry.of($0) }
            (values, number) = (Property.combineLatest(all.map { $0.property }).value, count[0])
            throw Unchanged()
        }
        // Not in the body, because this calls code of the keys.
        return Self.dictionary(all, values, count: number)
    }

    /// `nil` if another number of keys has a value.
    @_alwaysEmitIntoClient
    static func dictionary(_ entries: [Entry], _ values: [Value?], count: Int) -> [Key: Value]? {
        let present = zip(entries, values).compactMap { entry, value in value.map { (entry.key, $0) } }
        // Keys that were changed to be equal are the user's mistake.
        return present.count == count ? Dictionary(present) { $1 } : nil
    }

    /// Traps in a body or in a closure that computes, as a change does.
    @_alwaysEmitIntoClient
    func refuseSections() {
        if PureSection.isCurrent {
            try? Property<Never>.transaction([count]) { _ throws(Unchanged) in throw Unchanged() }
        }
    }

    /// Completes the signals.
    @_alwaysEmitIntoClient
    func end() {
        // Before: what is added later ends by itself.
        entries.hasEnded.raise()
        for entry in entries.all { Entry.of(entry).property.root.end() }
        count.root.end()
        if entries.releaseChange() { PassiveSection.run { input.sendCompleted() } }
    }
}

/// Keeps an entry in the table.
@usableFromInline
final class KeyedUse: Sendable {
    @usableFromInline let entry: AnyKeyedEntry
    private let entries: KeyedEntries

    @usableFromInline
    init(_ entries: KeyedEntries, _ entry: AnyKeyedEntry) { (self.entries, self.entry) = (entries, entry) }

    deinit { entries.endUse(of: entry) }
}

/// The table of the entries, without their types.
@usableFromInline
final class KeyedEntries: Sendable {
    private let state = Locked(KeyTable<AnyKeyedEntry>())
    /// The number of changes that have yet to be sent, and one while the dictionary exists. Whoever takes the last one
    /// away completes the signal of changes.
    private let unsent = AtomicWord(1)
    @usableFromInline let hasEnded = AtomicFlag()

    @usableFromInline
    init() {}

    @usableFromInline
    func match(_ hash: Int) -> KeyTable<AnyKeyedEntry>.Match { state.withLock { $0[hash] } }

    /// Uses an entry, and adds it if it is new, if the entries with its hash value are still those that were compared.
    @usableFromInline
    func use(_ entry: AnyKeyedEntry, ifStill match: KeyTable<AnyKeyedEntry>.Match, isNew: Bool = false) -> Bool {
        state.withLock { table in
            guard table[entry.hash] === match else { return false }
            if isNew { table.insert(entry, to: match) }
            entry.uses += 1
            return true
        }
    }

    /// Removes the entry if nobody uses it and the key has no value. The caller retains it.
    @usableFromInline
    func endUse(of entry: AnyKeyedEntry) {
        state.withLock { table in
            entry.uses -= 1
            // Whoever has changed the value has been a user.
            if entry.uses == 0, !entry.hasValue { _ = table.remove(entry) }
        }
    }

    /// Keeps an entry in the table until its next event has been sent, which a thread of the library may do later. So
    /// the next entry of the key, and the end, send after it.
    @usableFromInline
    func announceChange(of entry: AnyKeyedEntry) {
        state.withLock { _ in entry.uses += 1 }
        _ = unsent.acquire(adding: 1)
    }

    /// Returns whether the caller has to complete the signal of changes.
    @usableFromInline
    func endChange(of entry: AnyKeyedEntry) -> Bool {
        endUse(of: entry)
        return releaseChange()
    }

    @usableFromInline
    func releaseChange() -> Bool { unsent.release(subtracting: 1) == 1 }

    @usableFromInline
    var all: [AnyKeyedEntry] { state.withLock { $0.all } }
}

/// Ends a transaction without a change.
@usableFromInline
struct Unchanged: Error {
    @usableFromInline
    init() {}
}

/// The entry of a key. The key and its property are in a subclass.
@usableFromInline
@_fixed_layout
class AnyKeyedEntry: KeyTableEntry, @unchecked Sendable {
    // Sendable: the comments say what guards the variables.
    @usableFromInline let hash: Int
    /// Guarded by the lock of the table. The number of those who may give the key a value or who observe it.
    @exclusivity(unchecked) @usableFromInline final var uses = 0
    /// Whether the key has a value. Written in a transaction of the property, by a user.
    @exclusivity(unchecked) @usableFromInline final var hasValue = false

    @_alwaysEmitIntoClient
    init(_ hash: Int) { self.hash = hash }
}

@usableFromInline
@_fixed_layout
final class KeyedEntry<Key: Hashable & Sendable, Value: Sendable>: AnyKeyedEntry, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    @usableFromInline let key: Key
    @usableFromInline let property = MutableProperty<Value?>(nil)

    @_alwaysEmitIntoClient
    init(_ key: Key, _ hash: Int) {
        self.key = key
        super.init(hash)
    }

    /// All entries of one table have the same type.
    @_alwaysEmitIntoClient @inline(__always)
    static func of(_ entry: AnyKeyedEntry) -> KeyedEntry { unsafeDowncast(entry, to: KeyedEntry.self) }

    /// Sets the value if there is one. Returns whether there was.
    @_alwaysEmitIntoClient
    func replace(with value: Value) -> Bool { property.root.set(value) { $0 != nil } }
}
