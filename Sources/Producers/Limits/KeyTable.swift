/// An entry of a ``KeyTable``.
package protocol KeyTableEntry: AnyObject, Sendable {
    associatedtype Key: Hashable & Sendable

    var key: Key { get }
    /// The hash value of the key when the entry was created.
    var hash: Int { get }
}

/// A dictionary for use under a lock: it never calls `==` or `hash(into:)` of the keys, which are the user's.
///
/// It finds the entries with a hash value. The caller compares their keys without the lock, and then asks whether these
/// are still the entries. Keys whose `hash(into:)` breaks the rules do no harm: equal keys with different hash values
/// are different keys.
package struct KeyTable<Entry: KeyTableEntry>: Sendable {
    private var entries: [Int: [Entry]] = [:]
    package private(set) var count = 0

    package init() {}

    package subscript(hash: Int) -> [Entry] { entries[hash] ?? [] }

    /// Whether the entries with a hash value are still those that were read before.
    package func has(_ seen: [Entry], at hash: Int) -> Bool {
        let current = self[hash]
        return current.count == seen.count && zip(current, seen).allSatisfy { $0 === $1 }
    }

    package mutating func insert(_ entry: Entry) {
        entries[entry.hash, default: []].append(entry)
        count += 1
    }

    /// Removes an entry. The caller releases it where no lock is held.
    ///
    /// - Returns: Whether the entry was in the table.
    package mutating func remove(_ entry: Entry) -> Bool {
        guard let index = entries[entry.hash]?.firstIndex(where: { $0 === entry }) else { return false }
        if self[entry.hash].count == 1 {
            entries[entry.hash] = nil
        } else {
            entries[entry.hash]?.remove(at: index)
        }
        count -= 1
        return true
    }

    package var all: [Entry] { entries.values.flatMap { $0 } }
}
