public import HotSignals
public import ReactiveProperties

/// A dictionary whose entries are properties: setting one costs the same however many there are, and concerns only
/// those who observe its key, or the whole.
///
/// ```swift
/// let rooms = KeyedProperty(["lobby": 2], maxKeys: 1_000)
/// rooms.property(for: "lobby").producer.skipNil().startWithNext { print("lobby: \($0)") }  // prints lobby: 2
/// rooms.changes.observeNext { print("\($0.key) changed") }
/// try rooms.set(3, for: "lobby")
/// // prints lobby changed
/// // prints lobby: 3
/// try rooms.set(1, for: "attic")  // prints attic changed
/// rooms.remove("attic")           // prints attic changed
/// print(rooms.count.value)        // prints 1
/// ```
///
/// A `MutableProperty` of a dictionary sends the dictionary at each change, and everything derived from it is computed
/// again. Here each key has a property of its own, and ``changes`` names the key.
///
/// **Order**: a value is visible before its events. The events of one key are in the order of its values, in
/// ``changes``, too. Between keys there is no order, unless one ``transaction(_:_:)`` changes them.
///
/// **Threads**: any thread can read and set. Threads that set different keys do not wait for each other, except while a
/// key is added or removed, which changes ``count``, while an observer of ``changes`` is called, and while a thread
/// delivers what a ``transaction(_:_:)`` has changed. `==` and `hash(into:)` of the keys are called under no lock.
///
/// **Bound**: at most `maxKeys` keys have a value. A key that has none, and that nobody observes, takes no memory.
///
/// **Lifetime**: the signals complete when this object is released. Properties of it keep their last values.
@_fixed_layout
public final class KeyedProperty<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline let table: KeyedTable<Key, Value>
    /// The maximum number of keys with a value.
    public let maxKeys: Int
    /// Each change of a value, with its key. Completes when this object is released.
    public let changes: Signal<KeyedChange<Key, Value>, Never>
    /// The number of keys with a value.
    public let count: Property<Int>

    /// Creates a dictionary of properties.
    ///
    /// - Parameters:
    ///   - values: The first values.
    ///   - maxKeys: The maximum number of keys with a value. Traps unless positive, and if there are more values.
    @_alwaysEmitIntoClient
    public init(_ values: [Key: Value] = [:], maxKeys: Int) {
        require(maxKeys > 0, "KeyedProperty(maxKeys: \(maxKeys)): the number of keys must be positive")
        require(
            values.count <= maxKeys, "KeyedProperty(maxKeys: \(maxKeys)): there are \(values.count) values already")
        let (changes, input) = Signal<KeyedChange<Key, Value>, Never>.pipe()
        self.maxKeys = maxKeys
        self.changes = changes
        table = KeyedTable(input)
        count = table.count.skipRepeats()
        for (key, value) in values { try? set(value, for: key) }
    }

    deinit { table.end() }

    // MARK: Reading

    /// The value of a key now, or `nil` if it has none.
    @_alwaysEmitIntoClient
    public subscript(key: Key) -> Value? { table.known(key)?.property.value }

    /// All values, as they were at one moment.
    ///
    /// - Complexity: In proportion to the number of keys.
    @_alwaysEmitIntoClient
    public var value: [Key: Value] { table.values }

    /// A property that follows the value of one key. It is `nil` while the key has none.
    ///
    /// It follows the key also after that has been removed and added again. While it, or what is derived from it, is
    /// retained, it takes the memory of an entry.
    @_alwaysEmitIntoClient
    public func property(for key: Key) -> Property<Value?> { table.property(for: key) }

    /// These entries, to read and to derive from.
    @_alwaysEmitIntoClient
    public var view: KeyedView<Key, Value> {
        KeyedView(changes: changes, find: { [table] in table.property(for: $0) }, values: { [table] in table.values })
    }

    /// The entries with other values. A change of one computes that one alone: see ``KeyedView/mapValues(_:)``.
    @_alwaysEmitIntoClient
    public func mapValues<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> KeyedView<Key, NewValue> { view.mapValues(transform) }

    /// The entries that satisfy a condition. A change of one checks that one alone: see ``KeyedView/filter(_:)``.
    @_alwaysEmitIntoClient
    public func filter(_ isIncluded: @escaping @Sendable (Key, Value) -> Bool) -> KeyedView<Key, Value> {
        view.filter(isIncluded)
    }

    // MARK: Changing

    /// Sets the value of a key.
    ///
    /// - Throws: ``KeyLimitReached`` if the key has no value, and as many others as possible have one. Then nothing
    ///   changes.
    @_alwaysEmitIntoClient
    public func set(_ value: Value, for key: Key) throws(KeyLimitReached) {
        let entry = table.use(key)
        defer { table.entries.endUse(of: entry) }
        try table.change([entry]) { () throws(KeyLimitReached) in
            // Does not concern the count, which all keys share.
            if entry.replace(with: value) { return }
            try Property.transaction(entry.property, table.count) { current, count throws(KeyLimitReached) in
                if current == nil {
                    if count == maxKeys { throw KeyLimitReached(maxKeys: maxKeys) }
                    count += 1
                }
                entry.hasValue = true
                current = value
            }
        }
    }

    /// Removes a key. Returns its value, or `nil` if it had none, which is no change.
    @_alwaysEmitIntoClient @discardableResult
    public func remove(_ key: Key) -> Value? {
        table.refuseSections()
        guard let entry = table.useKnown(key) else { return nil }
        defer { table.entries.endUse(of: entry) }
        return try? table.change([entry]) { () throws(Unchanged) in
            try Property.transaction(entry.property, table.count) { current, count throws(Unchanged) in
                guard let former = current else { throw Unchanged() }
                count -= 1
                entry.hasValue = false
                current = nil
                return former
            }
        }
    }

    /// Changes the values of several keys in one step.
    ///
    /// ```swift
    /// let quota = KeyedProperty(["a": 10, "b": 0], maxKeys: 100)
    /// try quota.transaction(["a", "b"]) { values in
    ///     values[0] = values[0].map { $0 - 4 }
    ///     values[1] = values[1].map { $0 + 4 }
    /// }
    /// print(quota["a"] ?? 0, quota["b"] ?? 0)  // prints 6 4
    /// ```
    ///
    /// Readers, and observers of what is derived from the properties of several keys, see all new values or none. Each
    /// key sends one event after `body` has returned, even if its value is equal. In ``changes`` they come one after
    /// the other, so what follows that stream has states in between. The rules of `Property.transaction` apply to
    /// `body`.
    ///
    /// - Parameters:
    ///   - keys: Traps if one of them is named twice.
    ///   - body: Receives the values in the order of the keys, `nil` for those without one, and changes them. It must
    ///     not change their number.
    /// - Throws: ``KeyLimitReached`` if more keys would have a value than possible. Then nothing changes.
    @_alwaysEmitIntoClient
    public func transaction<Result>(
        _ keys: [Key], _ body: (inout [Value?]) -> Result
    ) throws(KeyLimitReached) -> Result {
        let entries = keys.map { table.use($0) }
        defer { for entry in entries { table.entries.endUse(of: entry) } }
        return try table.change(entries) { () throws(KeyLimitReached) in
            try Property<Never>.transaction(
                entries.map { $0.property }, table.count
            ) { values, count throws(KeyLimitReached) in
                let former = values.lazy.filter { $0 != nil }.count
                let result = body(&values)
                count += values.lazy.filter { $0 != nil }.count - former
                if count > maxKeys { throw KeyLimitReached(maxKeys: maxKeys) }
                for (entry, value) in zip(entries, values) { entry.hasValue = value != nil }
                return result
            }
        }
    }
}

/// A change of one entry of a ``KeyedProperty``.
public struct KeyedChange<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The key whose value has changed.
    public let key: Key
    /// The new value, or `nil` if the key has been removed.
    public let value: Value?

    @usableFromInline
    init(key: Key, value: Value?) {
        self.key = key
        self.value = value
    }
}

extension KeyedChange: Equatable where Value: Equatable {}

/// Thrown by a ``KeyedProperty`` in which as many keys have a value as it allows.
public struct KeyLimitReached: Error, Hashable {
    /// The maximum number of keys with a value.
    public let maxKeys: Int

    @usableFromInline
    init(maxKeys: Int) { self.maxKeys = maxKeys }
}
