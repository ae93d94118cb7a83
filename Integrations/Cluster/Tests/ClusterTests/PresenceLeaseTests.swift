import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization
import Testing

/// A bucket whose watch a test drives, and whose present values a test sets.
private final class ScriptedBucket: TransportBucket {
    let configuration: BucketConfiguration
    let stored = Mutex<Result<BucketEntry?, TransportError>>(.success(nil))
    let reads = Atomic(0)
    private let receiver = Mutex<(@Sendable (BucketEvent) -> Void)?>(nil)

    init() throws { configuration = BucketConfiguration(name: try ResourceName("HERE")) }

    func send(_ event: BucketEvent) { receiver.withLock { $0 }?(event) }

    func get(_ key: BucketKey) async throws(TransportError) -> BucketEntry? {
        reads.add(1, ordering: .relaxed)
        return try stored.withLock { $0 }.get()
    }

    func put(_ value: [UInt8], for key: BucketKey, id: String?) async throws(TransportError) -> UInt64 { 1 }

    func update(
        _ value: [UInt8], for key: BucketKey, expecting revision: UInt64, id: String?
    ) async throws(TransportError) -> UInt64 { 1 }

    func delete(_ key: BucketKey) async throws(TransportError) {}

    func watch(
        _ key: BucketKey?, receive: @escaping @Sendable (BucketEvent) -> Void
    ) throws(TransportError) -> any Disposable {
        receiver.withLock { $0 = receive }
        return AnyDisposable { [weak self] in self?.receiver.withLock { $0 = nil } }
    }
}

@Suite("The leases of presence", .patient)
struct PresenceLeaseTests {
    private let ann: BucketKey

    init() throws { ann = try BucketKey("ann") }

    /// A heartbeat with a lease of 4 seconds.
    private func heartbeat(_ revision: UInt64) -> BucketEntry {
        var bytes = [UInt8(ascii: "R"), 1, 0, 0] + [UInt8](repeating: 0, count: 24)
        withUnsafeBytes(of: UInt64(4000).littleEndian) { bytes.append(contentsOf: $0) }
        return BucketEntry(key: ann, value: bytes + Array("Ann".utf8), revision: revision)
    }

    private func observing(
        _ body: (TestScheduler, ScriptedBucket, Presence<String>, Log<PresenceChange<String>>) async throws -> Void
    ) async throws {
        let scheduler = TestScheduler()
        try await scheduler.run {
            let bucket = try ScriptedBucket()
            let presence = Presence<String>(in: bucket, codec: .utf8, on: scheduler)
            let log = Log<PresenceChange<String>>()
            presence.changes.observeNext { log.add($0) }
            bucket.send(.value(heartbeat(1)))
            bucket.send(.synchronized)
            bucket.stored.withLock { $0 = .success(heartbeat(1)) }
            await scheduler.advance()
            #expect(log.all == [.joined(ann, "Ann")])
            try await body(scheduler, bucket, presence, log)
        }
    }

    @Test("a member whose heartbeats reach only the servers stays")
    func lag() async throws {
        try await observing { scheduler, bucket, presence, log in
            for revision in 2...20 as ClosedRange<UInt64> {
                bucket.stored.withLock { $0 = .success(heartbeat(revision)) }
                await scheduler.advance(by: .seconds(4))
            }
            #expect(presence.members.value == [ann: "Ann"])
            #expect(log.all.count == 1)
            // One read per lease.
            #expect(bucket.reads.load(ordering: .relaxed) == 19)
            await scheduler.advance(by: .seconds(4))
            #expect(presence.members.value == [:])
            #expect(log.all == [.joined(ann, "Ann"), .left(ann, "Ann")])
        }
    }

    @Test("nobody is dropped while the servers do not answer")
    func silence() async throws {
        try await observing { scheduler, bucket, presence, log in
            bucket.stored.withLock { $0 = .failure(.timeout) }
            await scheduler.advance(by: .seconds(60))
            #expect(presence.members.value == [ann: "Ann"])
            bucket.stored.withLock { $0 = .success(heartbeat(1)) }
            await scheduler.advance(by: .seconds(1))
            #expect(log.all == [.joined(ann, "Ann"), .left(ann, "Ann")])
        }
    }

    @Test("a member that is not in a new snapshot is gone at once, and one that is has another lease")
    func snapshot() async throws {
        try await observing { scheduler, bucket, presence, log in
            await scheduler.advance(by: .seconds(3))
            bucket.send(.interrupted(isSnapshot: true))
            await scheduler.advance(by: .seconds(60))
            #expect(!presence.isSynchronized.value)
            #expect(presence.members.value == [ann: "Ann"])
            bucket.send(.value(heartbeat(1)))
            bucket.send(.synchronized)
            await scheduler.advance(by: .milliseconds(3900))
            #expect(presence.members.value == [ann: "Ann"])
            bucket.send(.interrupted(isSnapshot: true))
            bucket.send(.synchronized)
            await scheduler.advance()
            #expect(log.all == [.joined(ann, "Ann"), .left(ann, "Ann")])
        }
    }

    @Test("a deletion that is older than the last heartbeat is ignored")
    func deletion() async throws {
        try await observing { scheduler, bucket, presence, log in
            bucket.send(.value(heartbeat(5)))
            await scheduler.advance()
            bucket.send(.deleted(ann, revision: 4))
            await scheduler.advance()
            #expect(presence.members.value == [ann: "Ann"])
            bucket.send(.deleted(ann, revision: 6))
            await scheduler.advance()
            #expect(presence.members.value == [:])
        }
    }
}
