import Foundation
import ReactiveCluster
import ReactiveSignals
import Synchronization

/// A key-value bucket of NATS with a history of 1.
final class NATSBucket: TransportBucket {
    let configuration: BucketConfiguration
    private let transport: NATSTransport
    private var stream: String { "KV_\(configuration.name)" }
    private var prefix: String { "$KV.\(configuration.name)." }

    init(transport: NATSTransport, configuration: BucketConfiguration) {
        self.transport = transport
        self.configuration = configuration
    }

    func get(_ key: BucketKey) async throws(TransportError) -> BucketEntry? {
        guard let found = try await last(key), !found.isDeletion else { return nil }
        return BucketEntry(key: key, value: found.data.map { Array($0) } ?? [], revision: found.seq)
    }

    func put(_ value: [UInt8], for key: BucketKey, id: String?) async throws(TransportError) -> UInt64 {
        try await store(value, key, try headers(id))
    }

    func update(
        _ value: [UInt8], for key: BucketKey, expecting revision: UInt64, id: String?
    ) async throws(TransportError) -> UInt64 {
        let headers = try headers(id)
        // The last write to a bucket with replicas is often the one that is expected.
        let expectation = configuration.replicas > 1 && revision > 0 ? Self.ofStream : Self.ofKey
        do throws(TransportError) {
            return try await store(value, key, headers + [(expectation, "\(revision)")], expected: revision)
        } catch {
            guard case .conflict = error else { throw error }
            if configuration.replicas > 1 { return try await guardedUpdate(value, key, revision, headers) }
            // Behind a deletion, the server expects the revision of the deletion.
            guard revision == 0, let found = try await last(key), found.isDeletion else { throw error }
            return try await store(value, key, headers + [(Self.ofKey, "\(found.seq)")], expected: revision)
        }
    }

    /// Writes if neither the key nor the rest of the bucket has changed in between. Tries again if only the rest has.
    ///
    /// Servers before 2.9.21 compare the expected sequence of a subject before they have agreed on the order of writes,
    /// and then accept two writes that expect the same one. They compare that of a whole stream afterwards.
    private func guardedUpdate(
        _ value: [UInt8], _ key: BucketKey, _ revision: UInt64, _ headers: [(String, String)]
    ) async throws(TransportError) -> UInt64 {
        while true {
            guard let info = try await JetStream(transport: transport).info(stream) else {
                throw .failed("the bucket \(configuration.name) does not exist: its servers have lost it")
            }
            let found = try await last(key)
            let present = found.map { $0.isDeletion ? 0 : $0.seq } ?? 0
            guard present == revision else { throw .conflict(expected: revision, found: present) }
            let last = info.state.lastSequence
            // The key has changed after `last`, and has its expected revision again or for the first time.
            if (found?.seq ?? 0) > last { continue }
            do throws(TransportError) {
                return try await store(value, key, headers + [(Self.ofStream, "\(last)")], expected: revision)
            } catch {
                guard case .conflict = error else { throw error }
            }
        }
    }

    func delete(_ key: BucketKey) async throws(TransportError) {
        _ = try await store([], key, [("KV-Operation", "DEL")])
    }

    func watch(
        _ key: BucketKey?, receive: @escaping @Sendable (BucketEvent) -> Void
    ) throws(TransportError) -> any Disposable {
        let filter = BucketFilter(prefix: prefix, receive: receive)
        let consumer = OrderedConsumer(
            transport: transport, stream: stream,
            start: .snapshot(of: prefix + (key?.description ?? ""), isPrefix: key == nil),
            receive: { filter.take($0) })
        try transport.add(consumer)
        return AnyDisposable {
            filter.end()
            consumer.end()
        }
    }

    private func headers(_ id: String?) throws(TransportError) -> [(String, String)] {
        guard let id else { return [] }
        return [try JetStream.header(id: id)]
    }

    private static let ofKey = "Nats-Expected-Last-Subject-Sequence"
    private static let ofStream = "Nats-Expected-Last-Sequence"

    private func last(_ key: BucketKey) async throws(TransportError) -> StoredMessage? {
        try await JetStream(transport: transport).last(prefix + key.description, of: stream)
    }

    private func store(
        _ value: [UInt8], _ key: BucketKey, _ headers: [(String, String)], expected: UInt64? = nil
    ) async throws(TransportError) -> UInt64 {
        let receipt = try await JetStream(transport: transport).store(
            value, under: prefix + key.description, headers: headers, what: "the bucket \(configuration.name)",
            replicas: configuration.replicas, expected: expected)
        guard let revision = receipt.seq else { throw .failed("the server acknowledged without a revision") }
        return revision
    }
}

/// Turns the messages of a watch into events of the bucket. Drops revisions that descend, which a server that is behind
/// reports in a snapshot.
private final class BucketFilter: Sendable {
    private struct State {
        var revisions: [String: UInt64] = [:]
        /// Whether the snapshot is being read, which does not report keys without a value.
        var isSnapshot = true
        var receive: (@Sendable (BucketEvent) -> Void)?
    }
    private let prefix: String
    private let state: Mutex<State>

    init(prefix: String, receive: @escaping @Sendable (BucketEvent) -> Void) {
        self.prefix = prefix
        state = Mutex(State(receive: receive))
    }

    /// Releases the handler.
    func end() {
        let receive = state.withLock { state in
            defer { state.receive = nil }
            return state.receive
        }
        _ = receive
    }

    func take(_ event: OrderedConsumer.Event) {
        let next: ((@Sendable (BucketEvent) -> Void), BucketEvent)? = state.withLock { state in
            guard let receive = state.receive, let event = self.event(event, &state) else { return nil }
            return (receive, event)
        }
        if let next { next.0(next.1) }
    }

    private func event(_ event: OrderedConsumer.Event, _ state: inout State) -> BucketEvent? {
        switch event {
        case .message(let message):
            let text = String(message.subject.dropFirst(prefix.utf8.count))
            // Another client may use keys with other characters, which nobody here can ask for.
            guard let key = try? BucketKey(text), message.sequence > state.revisions[text] ?? 0 else { return nil }
            state.revisions[text] = message.sequence
            if message.isDeletion { return state.isSnapshot ? nil : .deleted(key, revision: message.sequence) }
            return .value(BucketEntry(key: key, value: message.payload, revision: message.sequence))
        case .synchronized:
            state.isSnapshot = false
            return .synchronized
        case .interrupted(let isAnother):
            state.isSnapshot = true
            if isAnother { state.revisions = [:] }
            return .interrupted(isSnapshot: true)
        case .failed(let error): return .failed(error)
        }
    }
}
