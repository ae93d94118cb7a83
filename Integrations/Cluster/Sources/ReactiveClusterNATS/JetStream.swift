import Foundation
import ReactiveCluster

/// The requests of JetStream, which are messages with JSON.
struct JetStream: Sendable {
    let transport: NATSTransport
    /// How long a request may take; `nil` for the option of the transport.
    var timeout: Duration?

    /// What the server says about a stream.
    struct StreamInfo: Decodable {
        struct State: Decodable {
            var firstSequence: UInt64
            var lastSequence: UInt64
            var messages: UInt64

            enum CodingKeys: String, CodingKey {
                case messages
                case firstSequence = "first_seq"
                case lastSequence = "last_seq"
            }
        }
        var config: StreamSettings
        /// When the stream was made. Another time means another stream of the same name.
        var created: String
        var state: State
    }

    /// What the server says about a consumer that it has made.
    struct ConsumerInfo: Decodable {
        var name: String
        /// How many entries there were for it.
        var pending: UInt64?

        enum CodingKeys: String, CodingKey {
            case name
            case pending = "num_pending"
        }
    }

    struct Refusal: Decodable {
        var code: Int
        var number: Int?
        var description: String?

        enum CodingKeys: String, CodingKey {
            case code, description
            case number = "err_code"
        }
    }

    private struct Answer<Content: Decodable>: Decodable {
        var error: Refusal?
        var content: Content?

        enum CodingKeys: String, CodingKey { case error }

        init(from decoder: any Decoder) throws {
            error = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Refusal.self, forKey: .error)
            content = error == nil ? try Content(from: decoder) : nil
        }
    }

    private struct Nothing: Codable {}

    /// Returns `nil` if there is no such stream.
    func info(_ stream: String) async throws(TransportError) -> StreamInfo? {
        try await call("STREAM.INFO.\(stream)", Nothing?.none, isMissing: { $0.number == Codes.streamNotFound })
    }

    func create(_ settings: StreamSettings) async throws(TransportError) -> StreamInfo? {
        try await call("STREAM.CREATE.\(settings.name)", settings, isMissing: { $0.number == Codes.streamNameInUse })
    }

    /// Returns `nil` if the stream does not exist.
    func create(
        _ settings: ConsumerSettings, on stream: String
    ) async throws(TransportError) -> ConsumerInfo? {
        struct Body: Encodable {
            var streamName: String
            var config: ConsumerSettings

            enum CodingKeys: String, CodingKey {
                case streamName = "stream_name"
                case config
            }
        }
        return try await call(
            "CONSUMER.CREATE.\(stream)", Body(streamName: stream, config: settings),
            isMissing: { $0.number == Codes.streamNotFound })
    }

    /// Returns the last message of a subject, or `nil` if there is none.
    func last(_ subject: String, of stream: String) async throws(TransportError) -> StoredMessage? {
        struct Body: Encodable {
            var lastBySubj: String

            enum CodingKeys: String, CodingKey { case lastBySubj = "last_by_subj" }
        }
        struct Envelope: Decodable { var message: StoredMessage }
        let found: Envelope? = try await call(
            "STREAM.MSG.GET.\(stream)", Body(lastBySubj: subject), isMissing: { $0.number == Codes.noMessage })
        return found?.message
    }

    func deleteConsumer(_ consumer: String, of stream: String) {
        // The server removes it some time later if this does not arrive.
        try? transport.send([], to: "$JS.API.CONSUMER.DELETE.\(stream).\(consumer)")
    }

    /// Publishes a message that a stream stores.
    ///
    /// - Parameters:
    ///   - what: The name for errors.
    ///   - replicas: How many servers store the stream.
    func store(
        _ payload: [UInt8], under subject: String, headers: [(String, String)], what: String, replicas: Int,
        expected: UInt64? = nil
    ) async throws(TransportError) -> Receipt {
        do throws(TransportError) {
            return try await store(payload, under: subject, headers: headers, what: what, expected: expected)
        } catch {
            // If a stream has one replica, servers since 2.12 compare what a message expects before they look for its id,
            // and so they refuse the repetition of one that they have stored. This header is compared afterwards. It
            // never holds, because no id has a space, so that nothing is stored.
            guard case .conflict = error, replicas == 1, let id = headers.first(where: { $0.0 == Self.idHeader })
            else { throw error }
            let probe = [id, ("Nats-Expected-Last-Msg-Id", "none \(id.1)")]
            do throws(TransportError) {
                return try await store(payload, under: subject, headers: probe, what: what, expected: expected)
            } catch .conflict {
                throw error
            }
        }
    }

    private func store(
        _ payload: [UInt8], under subject: String, headers: [(String, String)], what: String, expected: UInt64?
    ) async throws(TransportError) -> Receipt {
        let reply = try await transport.exchange(payload, with: subject, headers: headers)
        // No server leads the stream, which may be because there is no stream.
        if reply.status == 503 { throw .noServer("no server leads \(what) at present") }
        let receipt: Receipt
        do {
            receipt = try JSONDecoder().decode(Receipt.self, from: Data(reply.payload))
        } catch {
            throw .failed("the server acknowledged with \(String(decoding: reply.payload.prefix(200), as: UTF8.self))")
        }
        if let refusal = receipt.error { throw failure(refusal, what: what, size: payload.count, expected: expected) }
        return receipt
    }

    /// The header by which the server recognizes a repetition.
    static func header(id: String) throws(TransportError) -> (String, String) {
        guard !id.isEmpty, id.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .invalidName(id, reason: "a message id has at least one character, no space and no control character")
        }
        return (idHeader, id)
    }

    private static let idHeader = "Nats-Msg-Id"

    private func call<Content: Decodable>(
        _ name: String, _ body: (some Encodable)?, isMissing: (Refusal) -> Bool
    ) async throws(TransportError) -> Content? {
        let payload: [UInt8]
        do { payload = try body.map { Array(try JSONEncoder().encode($0)) } ?? [] } catch {
            throw .failed("cannot encode \(name): \(error)")
        }
        let reply = try await transport.exchange(payload, with: "$JS.API." + name, timeout: timeout)
        // Nobody listens for requests to JetStream.
        if reply.status == 503 { throw .noStorage }
        let answer: Answer<Content>
        do { answer = try JSONDecoder().decode(Answer<Content>.self, from: Data(reply.payload)) } catch {
            throw .failed("the answer to \(name) is not what this version understands: \(error)")
        }
        if let refusal = answer.error {
            if isMissing(refusal) { return nil }
            throw failure(refusal, what: name)
        }
        return answer.content
    }

    private func failure(
        _ refusal: Refusal, what: String, size: Int = 0, expected: UInt64? = nil
    ) -> TransportError {
        let words = refusal.description ?? "error \(refusal.code)"
        switch refusal.number ?? 0 {
        case Codes.notEnabled, Codes.notEnabledForAccount: return .noStorage
        case Codes.wrongLastSequence, Codes.wrongLastID:
            // As in: wrong last sequence: 5
            let found = words.split(separator: " ").last.flatMap { UInt64($0) }
            return .conflict(expected: expected ?? 0, found: found)
        case Codes.messageTooLarge: return .payloadTooLarge(size: size, limit: transport.maximumPayload)
        case Codes.accountResources, Codes.resources, Codes.memoryResources, Codes.storageResources, Codes.storeFailed:
            return .storageFull("\(what) (\(words))")
        case Codes.clusterUnavailable, Codes.clusterNoLeader, Codes.clusterNotLeader:
            return .noServer("\(words): a majority of the servers must run and see each other")
        case Codes.noReplicas, Codes.noPeers:
            return .failed("\(words): as many servers with JetStream must run as there are replicas")
        default: return .failed(words)
        }
    }

    private enum Codes {
        static let accountResources = 10002, noPeers = 10005, clusterUnavailable = 10008, clusterNotLeader = 10009
        static let clusterNoLeader = 10006, resources = 10023, memoryResources = 10028, noMessage = 10037
        static let notEnabledForAccount = 10039, storageResources = 10047, messageTooLarge = 10054
        static let streamNameInUse = 10058, streamNotFound = 10059, wrongLastID = 10070, wrongLastSequence = 10071
        static let noReplicas = 10074, notEnabled = 10076, storeFailed = 10077
    }
}

/// The answer to a message that was stored.
struct Receipt: Decodable {
    var seq: UInt64?
    var duplicate: Bool?
    var error: JetStream.Refusal?
}

/// A message of a stream, as `STREAM.MSG.GET` returns it.
struct StoredMessage: Decodable {
    var subject: String
    var seq: UInt64
    var data: Data?
    var hdrs: Data?

    /// Whether it stands for the deletion of a key.
    var isDeletion: Bool {
        guard let hdrs else { return false }
        let text = String(decoding: hdrs, as: UTF8.self)
        return text.contains("KV-Operation: DEL") || text.contains("KV-Operation: PURGE")
    }
}

/// The configuration of a stream, as JetStream names its parts.
struct StreamSettings: Codable, Sendable {
    var name: String
    var subjects: [String]?
    var retention = "limits"
    var maxConsumers = -1
    var maxMsgs = -1
    var maxBytes = -1
    var maxAge: Int64 = 0
    var maxMsgsPerSubject: Int? = -1
    var discard = "old"
    var storage: String
    var numReplicas: Int
    var duplicateWindow: Int64?
    var allowRollupHdrs: Bool?
    var denyDelete: Bool?
    var allowDirect: Bool?

    enum CodingKeys: String, CodingKey {
        case name, subjects, retention, discard, storage
        case maxConsumers = "max_consumers"
        case maxMsgs = "max_msgs"
        case maxBytes = "max_bytes"
        case maxAge = "max_age"
        case maxMsgsPerSubject = "max_msgs_per_subject"
        case numReplicas = "num_replicas"
        case duplicateWindow = "duplicate_window"
        case allowRollupHdrs = "allow_rollup_hdrs"
        case denyDelete = "deny_delete"
        case allowDirect = "allow_direct"
    }

    /// The settings of a stream that was opened as a stream.
    init(_ configuration: StreamConfiguration) {
        name = configuration.name.description
        subjects = [configuration.subject.description]
        storage = configuration.storage.text
        numReplicas = configuration.replicas
        if let count = configuration.maximumEntries { maxMsgs = count }
        if let count = configuration.maximumBytes { maxBytes = count }
        if let age = configuration.maximumAge { maxAge = age.nanoseconds }
        var window = configuration.duplicateWindow.nanoseconds
        // The server refuses a window that is longer than the age.
        if maxAge > 0 { window = min(window, maxAge) }
        duplicateWindow = window
    }

    /// The settings of a bucket: those of NATS's own key-value buckets with a history of 1.
    init(_ configuration: BucketConfiguration) {
        name = "KV_" + configuration.name.description
        subjects = ["$KV.\(configuration.name).>"]
        storage = configuration.storage.text
        numReplicas = configuration.replicas
        if let age = configuration.maximumAge { maxAge = age.nanoseconds }
        maxMsgsPerSubject = 1
        discard = "new"
        allowRollupHdrs = true
        denyDelete = true
        allowDirect = true
        duplicateWindow = maxAge > 0 ? min(maxAge, 120_000_000_000) : 120_000_000_000
    }

    /// The first settings that differ in a way that matters, or `nil`.
    func difference(from other: StreamSettings) -> String? {
        func compare<T: Equatable>(_ what: String, _ a: T, _ b: T) -> String? {
            a == b ? nil : "\(what) is \(b), not \(a)"
        }
        return compare("the subject", subjects ?? [], other.subjects ?? [])
            ?? compare("the number of replicas", numReplicas, other.numReplicas)
            ?? compare("the storage", storage, other.storage)
            ?? compare("the greatest number of entries", maxMsgs, other.maxMsgs)
            ?? compare("the greatest size in bytes", maxBytes, other.maxBytes)
            ?? compare("the greatest age in nanoseconds", maxAge, other.maxAge)
            ?? compare(
                "the number of entries per subject", maxMsgsPerSubject ?? -1, other.maxMsgsPerSubject ?? -1)
            ?? compare("what is discarded at a limit", discard, other.discard)
            ?? compare("the retention", retention, other.retention)
            ?? compare("the window for duplicates in nanoseconds", duplicateWindow ?? 0, other.duplicateWindow ?? 0)
    }
}

extension StorageKind {
    fileprivate var text: String {
        switch self {
        case .file: "file"
        case .memory: "memory"
        }
    }
}

/// The configuration of a consumer that nobody acknowledges to.
struct ConsumerSettings: Encodable, Sendable {
    var deliverPolicy: String
    var optStartSeq: UInt64?
    var filterSubject: String?
    var ackPolicy = "none"
    var maxDeliver = 1
    var replayPolicy = "instant"
    /// One server keeps its state, in memory. If that server is lost, another consumer is made.
    var numReplicas = 1
    var memStorage = true
    var inactiveThreshold: Int64

    enum CodingKeys: String, CodingKey {
        case deliverPolicy = "deliver_policy"
        case optStartSeq = "opt_start_seq"
        case filterSubject = "filter_subject"
        case ackPolicy = "ack_policy"
        case maxDeliver = "max_deliver"
        case replayPolicy = "replay_policy"
        case numReplicas = "num_replicas"
        case memStorage = "mem_storage"
        case inactiveThreshold = "inactive_threshold"
    }
}
