/// Why a transport, or a type that uses one, could not do what it was asked to do. The description says what to do.
public enum TransportError: Error, Sendable, Equatable {
    /// No server can be reached.
    case noServer(String)
    /// A server refused the credentials.
    case badCredentials
    /// The account may not use a subject, a stream or a bucket.
    case notPermitted(String)
    /// The server stores neither streams nor buckets: JetStream is not enabled, or not for this account, or the server has
    /// disabled it because its disk was full.
    case noStorage
    /// The stream or bucket exists with another configuration.
    case configurationMismatch(name: String, difference: String)
    /// The text is not a subject, a key, or the name of a resource.
    case invalidName(String, reason: String)
    /// The payload is larger than the limit of the server, or of the type that sends it.
    case payloadTooLarge(size: Int, limit: Int)
    /// The last sequence of a stream, or the revision of a key, is not the expected one. Nothing was written.
    case conflict(expected: UInt64, found: UInt64?)
    /// The entries up to a sequence have been removed from the stream. `from` is the first that still exists.
    case compacted(from: UInt64)
    /// The stream ends before the sequence from which it is to be read: its servers have lost entries.
    case sequenceBeyondEnd(requested: UInt64, last: UInt64)
    /// Nobody serves the subject.
    case noResponder(String)
    /// No answer came in time. Whether the server has carried out the request is unknown.
    case timeout
    /// There is no connection, or it was lost. Whether the server has carried out a request is unknown.
    case disconnected
    /// The server cannot store more: its disk is full, or a limit of the account or the stream is reached.
    case storageFull(String)
    /// The transport, or the object of it, was closed.
    case closed
    /// The task was cancelled.
    case cancelled
    /// The codec could not encode a value, with the description of its error.
    case encoding(String)
    /// A stored value cannot be read.
    case unreadable(UnreadableMessage)
    /// Any other error of the engine, in its own words.
    case failed(String)

    /// Whether the same call may succeed a moment later without anyone changing anything.
    public var isTransient: Bool {
        switch self {
        case .noServer, .noResponder, .timeout, .disconnected, .failed: true
        case .badCredentials, .notPermitted, .noStorage, .configurationMismatch, .invalidName, .payloadTooLarge,
            .conflict, .compacted, .sequenceBeyondEnd, .storageFull, .encoding, .unreadable, .closed,
            .cancelled:
            false
        }
    }

    /// Whether the server may have carried out the request all the same.
    public var isOutcomeUnknown: Bool {
        switch self {
        case .timeout, .disconnected, .cancelled, .closed, .failed: true
        default: false
        }
    }
}

extension TransportError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .noServer(let reason): "no server can be reached (\(reason)): check that one is running at the address"
        case .badCredentials: "the server refused the credentials: check the user, the password, or the token"
        case .notPermitted(let what): "the account may not use \(what): extend its permissions on the server"
        case .noStorage:
            "the server stores no streams: enable JetStream in its configuration and for the account. A server whose disk "
                + "was full disables it itself: free space, and restart the server"
        case .configurationMismatch(let name, let difference):
            "\(name) exists with another configuration (\(difference)): use that one, or change it on the server"
        case .invalidName(let text, let reason): "\"\(text)\" is not a valid name: \(reason)"
        case .payloadTooLarge(let size, let limit):
            "the payload has \(size) bytes, and the limit is \(limit): send less, or raise the limit"
        case .conflict(let expected, let found):
            "another writer came first: expected revision \(expected), found \(found.map { "\($0)" } ?? "another"). "
                + "Read again, and repeat"
        case .compacted(let first):
            "the entries before \(first) have been removed: begin with a snapshot, and read on from there"
        case .sequenceBeyondEnd(let requested, let last):
            "the stream ends at \(last), before \(requested): its servers have lost entries, or it was made anew"
        case .noResponder(let subject): "nobody serves \(subject): start a server, or try again"
        case .timeout: "no answer came in time: whether the request has been carried out is unknown"
        case .disconnected: "there is no connection: whether the request has been carried out is unknown"
        case .storageFull(let what): "\(what) cannot store more: free space on the servers, or raise the limit"
        case .closed: "the transport was closed"
        case .cancelled: "the task was cancelled"
        case .encoding(let text): "the codec could not encode the value: \(text)"
        case .unreadable(let message): message.description
        case .failed(let text): "the server or its client failed: \(text)"
        }
    }
}
