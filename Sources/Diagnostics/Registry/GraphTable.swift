import HotSignals

/// A hash table from the addresses of objects to their records, with open addressing and linear probing. Shrinks after
/// a burst.
///
/// Not an array, whose checks would cost a start more than the search does. Only for a ``GraphShard``, which lives as
/// long as the process.
package struct GraphTable {
    struct Place {
        /// The address of a ``GraphMember``, or 0 for a free place. Not retained: see ``GraphShard``.
        var address: UInt
        var record: GraphRecord
    }

    private var places = Self.allocate(smallest)
    /// The number of places. A power of two.
    private(set) var capacity = Self.smallest
    private(set) var count = 0

    private static let smallest = 16

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Place> {
        let places = UnsafeMutablePointer<Place>.allocate(capacity: capacity)
        places.initialize(
            repeating: Place(address: 0, record: GraphRecord(id: 0, since: 0)), count: capacity)
        return places
    }

    /// The place with an index. Its address is 0 if it is free.
    subscript(index: Int) -> Place { places[index] }

    /// The product with the golden ratio spreads addresses, whose lowest bits are equal, over the highest bits.
    @inline(__always)
    package static func hash(_ address: UInt) -> UInt {
        (address >> 4) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    }

    /// The place at which the search for an address begins. Not the bits that select the shard.
    @inline(__always)
    private func beginning(_ hash: UInt) -> Int { Int(hash >> 16) & (capacity &- 1) }

    /// Returns the index of the address, or that of the free place where the search ends.
    @inline(__always)
    private func index(of address: UInt, _ hash: UInt) -> Int {
        var index = beginning(hash)
        while places[index].address != address, places[index].address != 0 {
            index = (index &+ 1) & (capacity &- 1)
        }
        return index
    }

    func contains(_ address: UInt, _ hash: UInt) -> Bool { places[index(of: address, hash)].address != 0 }

    mutating func insert(_ address: UInt, _ record: GraphRecord, _ hash: UInt) {
        if count &* 4 >= capacity &* 3 { resize(to: capacity * 2) }
        let index = index(of: address, hash)
        places[index].address = address
        places[index].record = record
        count &+= 1
    }

    /// Returns the label of the record, for the caller to release.
    mutating func remove(_ address: UInt, _ hash: UInt) -> Label? {
        var hole = index(of: address, hash)
        if places[hole].address == 0 { return nil }
        let label = places[hole].record.label
        let mask = capacity &- 1
        // Moves back what the hole would hide from a search.
        var next = (hole &+ 1) & mask
        while places[next].address != 0 {
            let ideal = beginning(Self.hash(places[next].address))
            if (next &- ideal) & mask >= (next &- hole) & mask {
                places[hole] = places[next]
                hole = next
            }
            next = (next &+ 1) & mask
        }
        places[hole].address = 0
        places[hole].record.label = nil
        count &-= 1
        if capacity > Self.smallest, count &* 8 < capacity { resize(to: capacity / 2) }
        return label
    }

    @inline(__always)
    mutating func update(_ address: UInt, _ hash: UInt, _ body: (inout GraphRecord) -> Void) {
        let index = index(of: address, hash)
        if places[index].address != 0 { body(&places[index].record) }
    }

    @inline(never)
    private mutating func resize(to count: Int) {
        let (former, formerCapacity) = (places, capacity)
        (places, capacity) = (Self.allocate(count), count)
        for old in 0..<formerCapacity where former[old].address != 0 {
            places[index(of: former[old].address, Self.hash(former[old].address))] = former[old]
        }
        former.deinitialize(count: formerCapacity)
        former.deallocate()
    }
}
