package import HotSignals

/// The objects that are alive and were created while ``StreamGraph`` was recording.
///
/// It stores no weak references, which would cost an allocation per object. A member takes itself out in its `deinit`,
/// before its memory is freed, and ``GraphShard`` tells those that are about to do so from the others.
package enum GraphRegistry {
    /// Records what the core tells of.
    package static let hook = GraphHook(
        appeared: { add(at: $0, madeAt: $1) },
        linked: { address, location, link in
            update(address, madeAt: location) { record in
                switch link {
                // The name of an inner start: the first one counts, which is the last in the code.
                case .name(let label): record.label = record.label ?? label
                case .part(let whole): record.partner = whole
                case .head(let start): (record.isStart, record.location, record.partner) = (true, location, start)
                }
            }
        },
        left: { remove(at: $0) }, waits: { WaitLog.begin($0, $1) })

    private static let shardBits: UInt = 6
    /// Never freed, so that a shard need not be retained.
    private nonisolated(unsafe) static let shards = {
        let shards = UnsafeMutablePointer<Unmanaged<GraphShard>>.allocate(capacity: 1 << shardBits)
        for index in 0..<(1 << shardBits) { (shards + index).initialize(to: .passRetained(GraphShard())) }
        return UnsafeBufferPointer(start: shards, count: 1 << shardBits)
    }()
    private static let numbers = ProcessCounter()

    /// Records an object.
    ///
    /// - Parameter location: Where an observer was added.
    package static func add(at address: UInt, madeAt location: CodeLocation = .unknown) {
        let hash = GraphTable.hash(address)
        let record = GraphRecord(id: numbers.next(), since: now, at: location)
        shard(hash)._withUnsafeGuaranteedRef { $0.add(address, record, hash) }
    }

    /// Called in the `deinit` of an object that may be a member.
    package static func remove(at address: UInt) {
        let hash = GraphTable.hash(address)
        shard(hash)._withUnsafeGuaranteedRef { $0.remove(address, hash) }
    }

    /// Changes the record of an object, and records the object if it is not a member yet.
    package static func update(
        _ address: UInt, madeAt location: CodeLocation = .unknown, _ body: (inout GraphRecord) -> Void
    ) {
        let hash = GraphTable.hash(address)
        shard(hash)._withUnsafeGuaranteedRef {
            $0.update(address, hash, adding: GraphRecord(id: numbers.next(), since: now, at: location), body)
        }
    }

    /// Notes that a thread that runs tasks has waited for an object, if that is a member.
    ///
    /// - Parameter duration: In nanoseconds.
    static func addTaskWait(_ address: UInt, _ duration: Int) {
        let hash = GraphTable.hash(address)
        shard(hash)._withUnsafeGuaranteedRef { $0.updateIfMember(address, hash) { $0.addTaskWait(duration) } }
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

    /// The highest bits of the hash select the shard, and the rest the place in its table.
    private static func shard(_ hash: UInt) -> Unmanaged<GraphShard> {
        shards[Int(hash >> (UInt(UInt.bitWidth) - shardBits))]
    }

    /// The time in nanoseconds. Comparable only with other readings.
    package static var now: Int { SystemClock.continuous.nanoseconds }
}
