/// What is kept for a key.
///
/// The key itself is in a generic subclass. Everything that finds, orders or forgets entries works with a class that
/// is not generic, so that the compiler specializes it here and not in every module that has a kind of key.
@usableFromInline
package protocol KeyTableEntry: AnyObject, Sendable {
    /// The hash value of the key when the entry was created.
    var hash: Int { get }
}

/// A dictionary for use under a lock: it never calls `==` or `hash(into:)` of the keys, which are the user's.
///
/// It finds the entries with a hash value. The caller compares their keys without the lock, and then asks whether these
/// are still the entries. Keys whose `hash(into:)` breaks the rules do no harm: equal keys with different hash values
/// are different keys.
@usableFromInline
package struct KeyTable<Entry: KeyTableEntry>: Sendable {
    /// The entries with one hash value: usually one, so that there is no array to allocate.
    @frozen @usableFromInline
    package struct Match: Sendable {
        @usableFromInline var first: Entry?
        @usableFromInline var others: [Entry] = []

        @_alwaysEmitIntoClient
        package func first(where isWanted: (Entry) -> Bool) -> Entry? {
            guard let first else { return nil }
            return isWanted(first) ? first : others.first(where: isWanted)
        }

        package static func === (a: Match, b: Match) -> Bool {
            a.first === b.first && a.others.count == b.others.count && zip(a.others, b.others).allSatisfy { $0 === $1 }
        }
    }

    private var matches: [Int: Match] = [:]
    package private(set) var count = 0

    package init() {}

    /// The entries with a hash value.
    package subscript(hash: Int) -> Match { matches[hash] ?? Match() }

    /// Adds an entry.
    ///
    /// - Parameter match: The entries that have its hash value now.
    package mutating func insert(_ entry: Entry, to match: Match) {
        var match = match
        if match.first == nil { match.first = entry } else { match.others.append(entry) }
        matches[entry.hash] = match
        count += 1
    }

    /// Removes an entry. The caller releases it where no lock is held.
    ///
    /// - Returns: Whether the entry was in the table.
    package mutating func remove(_ entry: Entry) -> Bool {
        guard let place = matches.index(forKey: entry.hash) else { return false }
        var match = matches.values[place]
        if match.first === entry {
            match.first = match.others.isEmpty ? nil : match.others.removeFirst()
        } else if let index = match.others.firstIndex(where: { $0 === entry }) {
            match.others.remove(at: index)
        } else {
            return false
        }
        if match.first == nil { matches.remove(at: place) } else { matches.values[place] = match }
        count -= 1
        return true
    }

    package var all: [Entry] {
        var all: [Entry] = []
        all.reserveCapacity(count)
        for match in matches.values {
            if let first = match.first { all.append(first) }
            all.append(contentsOf: match.others)
        }
        return all
    }
}
