public import HotSignals
public import ReactiveProperties

/// The entries of a ``KeyedProperty``, or what is derived from them, to read and observe.
///
/// ```swift
/// let stock = KeyedProperty(["nut": 3, "bolt": 0], maxKeys: 100)
/// let labels = stock.filter { _, count in count > 0 }.mapValues { "\($0) left" }
/// print(labels.value)  // prints ["nut": "3 left"]
/// labels.property(for: "bolt").producer.startWithNext { print($0 ?? "none") }  // prints none
/// try stock.set(5, for: "bolt")  // prints 5 left
/// ```
///
/// Nothing is stored: a value is computed when it is read, and, while its key is observed, when that changes. A view
/// retains the entries, but they end when the ``KeyedProperty`` is released.
public struct KeyedView<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Each change of a value, with its key.
    public let changes: Signal<KeyedChange<Key, Value>, Never>
    @usableFromInline let find: @Sendable (Key) -> Property<Value?>
    @usableFromInline let values: @Sendable () -> [Key: Value]

    @usableFromInline
    init(
        changes: Signal<KeyedChange<Key, Value>, Never>, find: @escaping @Sendable (Key) -> Property<Value?>,
        values: @escaping @Sendable () -> [Key: Value]
    ) {
        (self.changes, self.find, self.values) = (changes, find, values)
    }

    /// The value of a key now, or `nil` if it has none.
    @_alwaysEmitIntoClient
    public subscript(key: Key) -> Value? { find(key).value }

    /// All values, as they were at one moment.
    ///
    /// - Complexity: In proportion to the number of keys.
    @_alwaysEmitIntoClient
    public var value: [Key: Value] { values() }

    /// A property that follows the value of one key: see ``KeyedProperty/property(for:)``.
    @_alwaysEmitIntoClient
    public func property(for key: Key) -> Property<Value?> { find(key) }

    /// The entries with other values. A change of one computes that one alone.
    ///
    /// - Parameter transform: Called for each reader and observer of a key.
    @_alwaysEmitIntoClient
    public func mapValues<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> KeyedView<Key, NewValue> {
        let (find, values) = (find, values)
        return KeyedView<Key, NewValue>(
            changes: changes.map { KeyedChange(key: $0.key, value: $0.value.map(transform)) },
            find: { key in find(key).map { $0.map(transform) } }, values: { values().mapValues(transform) })
    }

    /// The entries that satisfy a condition. A change of one checks that one alone.
    ///
    /// In ``changes``, an entry that does not satisfy it is one without a value, also if it had none before.
    ///
    /// - Parameter isIncluded: Called for each reader and observer of a key.
    @_alwaysEmitIntoClient
    public func filter(_ isIncluded: @escaping @Sendable (Key, Value) -> Bool) -> KeyedView {
        let (find, values) = (find, values)
        return KeyedView(
            changes: changes.map { change in
                KeyedChange(key: change.key, value: change.value.flatMap { isIncluded(change.key, $0) ? $0 : nil })
            },
            find: { key in find(key).map { $0.flatMap { isIncluded(key, $0) ? $0 : nil } } },
            values: { values().filter { isIncluded($0.key, $0.value) } })
    }
}
