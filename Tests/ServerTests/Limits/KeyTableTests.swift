import ColdProducers
import ReactiveServer
import TestSupport
import Testing

private final class Entry: KeyTableEntry {
    let hash: Int
    let name: String

    init(_ hash: Int, _ name: String) {
        self.hash = hash
        self.name = name
    }
}

extension KeyTable<Entry> {
    fileprivate mutating func insert(_ entry: Entry) { insert(entry, to: self[entry.hash]) }

    fileprivate func has(_ entry: Entry) -> Bool { self[entry.hash].first { $0 === entry } != nil }

    fileprivate var names: String { all.map(\.name).sorted().joined() }
}

/// Keys whose hash values are equal are rare, and races about them rarer, so these are tested here.
@Suite("KeyTable")
struct KeyTableTests {
    @Test(
        "keeps entries with equal hash values apart, whichever is removed first",
        arguments: [[0, 1, 2], [1, 2, 0], [2, 0, 1]])
    func collisions(order: [Int]) {
        let entries = [Entry(7, "a"), Entry(7, "b"), Entry(7, "c")]
        let other = Entry(8, "d")
        var table = KeyTable<Entry>()
        for entry in entries + [other] { table.insert(entry) }
        expect(table.count, is: 4)
        expect(table.names, is: "abcd")
        var left = entries
        for index in order {
            expect(table.remove(entries[index]), is: true)
            expect(table.remove(entries[index]), is: false)
            left.removeAll { $0 === entries[index] }
            for entry in entries { expect(table.has(entry), is: left.contains { $0 === entry }) }
            #expect(table.has(other))
            expect(table.count, is: left.count + 1)
        }
        expect(table.names, is: "d")
        #expect(table[7].first { _ in true } == nil)
    }

    @Test("says whether the entries with a hash value are those that were seen before")
    func matches() {
        let (a, b, c) = (Entry(7, "a"), Entry(7, "b"), Entry(7, "c"))
        var table = KeyTable<Entry>()
        let none = table[7]
        #expect(table[7] === none)
        table.insert(a)
        let one = table[7]
        #expect(table[7] === one && !(one === none))
        table.insert(b)
        let two = table[7]
        #expect(table[7] === two && !(two === one))
        _ = table.remove(b)
        #expect(table[7] === one && !(table[7] === two))
        table.insert(c)
        #expect(!(table[7] === two), "another entry in the same place")
        _ = table.remove(a)
        #expect(!(table[7] === one) && !(table[7] === two))
        _ = table.remove(c)
        #expect(table[7] === none)
        table.insert(b)
        #expect(!(table[7] === one), "another entry in the first place")
    }
}
