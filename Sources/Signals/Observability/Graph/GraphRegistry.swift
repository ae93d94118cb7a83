/// The objects that are alive and were created while ``StreamGraph`` was recording.
///
/// It stores no weak references, which would cost an allocation per object. A member takes itself out in its `deinit`,
/// before its memory is freed, and ``GraphShard`` tells those that are about to do so from the others.
@usableFromInline
package enum GraphRegistry {
    /// Whether new objects are recorded.
    @usableFromInline package static let isOn = HookSwitch()

    private static let shardBits: UInt = 6
    /// Never freed, so that a shard need not be retained.
    private nonisolated(unsafe) static let shards = {
        let shards = UnsafeMutablePointer<Unmanaged<GraphShard>>.allocate(capacity: 1 << shardBits)
        for index in 0..<(1 << shardBits) { (shards + index).initialize(to: .passRetained(GraphShard())) }
        return UnsafeBufferPointer(start: shards, count: 1 << shardBits)
    }()
    private static let numbers = ProcessCounter()

    /// Records an object. It must call ``remove(_:)`` in its `deinit`, if ``isOn`` has been on.
    ///
    /// - Parameters:
    ///   - label: The name that the user gave.
    ///   - location: Where a start was begun or an observer was added.
    @usableFromInline
    package static func add(
        _ member: any GraphMember, label: Label? = nil, madeAt location: CodeLocation = .unknown
    ) {
        add(at: address(of: member), label: label, madeAt: location)
    }

    /// The same for a member that is being created. Without a reference, which an initializer would retain and release
    /// even if nothing is recorded.
    @usableFromInline
    package static func add(
        at address: UInt, label: Label? = nil, madeAt location: CodeLocation = .unknown
    ) {
        let hash = GraphTable.hash(address)
        let record = GraphRecord(id: numbers.next(), since: now, label: label, at: location)
        shard(hash)._withUnsafeGuaranteedRef { $0.add(address, record, hash) }
    }

    /// Called in the `deinit` of an object that may be a member.
    @usableFromInline
    package static func remove(_ member: AnyObject) {
        let hash = GraphTable.hash(address(of: member))
        shard(hash)._withUnsafeGuaranteedRef { $0.remove(address(of: member), hash) }
    }

    /// Changes the record of a member, if it has one.
    @inline(__always)
    package static func update(_ member: AnyObject, _ body: (inout GraphRecord) -> Void) {
        let hash = GraphTable.hash(address(of: member))
        shard(hash)._withUnsafeGuaranteedRef { $0.update(address(of: member), hash, body) }
    }

    /// Changes the record of an object, and records the object if it is not a member yet.
    @inline(__always)
    package static func update(
        _ member: any GraphMember, madeAt location: CodeLocation, _ body: (inout GraphRecord) -> Void
    ) {
        let hash = GraphTable.hash(address(of: member))
        shard(hash)._withUnsafeGuaranteedRef {
            $0.update(
                address(of: member), hash, adding: GraphRecord(id: numbers.next(), since: now, at: location), body)
        }
    }

    /// Calls `body` for each member, without a lock.
    package static func visit(_ body: (any GraphMember, GraphRecord) -> Void) {
        for shard in shards {
            for (object, record) in shard._withUnsafeGuaranteedRef({ $0.members() }) {
                if let member = object as? any GraphMember { body(member, record) }
            }
        }
    }

    /// The number of members.
    package static var count: Int { shards.reduce(0) { $0 + $1._withUnsafeGuaranteedRef { $0.count } } }

    @_alwaysEmitIntoClient @inline(__always)
    package static func address(of object: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// The highest bits of the hash select the shard, and the rest the place in its table.
    private static func shard(_ hash: UInt) -> Unmanaged<GraphShard> {
        shards[Int(hash >> (UInt(UInt.bitWidth) - shardBits))]
    }

    /// The time in nanoseconds. Comparable only with other readings.
    package static var now: Int { SystemClock.continuous.nanoseconds }
}
