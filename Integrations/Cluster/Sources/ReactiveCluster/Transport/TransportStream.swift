/// How a stream is stored.
public struct StreamConfiguration: Sendable, Equatable {
    /// The name of the stream.
    public var name: ResourceName
    /// The subject under which entries are appended. No other stream may have it.
    public var subject: Subject
    /// The number of servers that store each entry. An append is acknowledged by a majority.
    public var replicas: Int
    /// Where entries are stored.
    public var storage: StorageKind
    /// The oldest entries beyond this number are removed. `nil` for no limit.
    public var maximumEntries: Int?
    /// The oldest entries beyond this size are removed. `nil` for no limit.
    public var maximumBytes: Int?
    /// Older entries are removed. `nil` for no limit.
    public var maximumAge: Duration?
    /// How long a message id is remembered, so that an append that is repeated has no effect.
    public var duplicateWindow: Duration

    /// Creates a configuration.
    public init(
        name: ResourceName, subject: Subject, replicas: Int = 1, storage: StorageKind = .file,
        maximumEntries: Int? = nil, maximumBytes: Int? = nil, maximumAge: Duration? = nil,
        duplicateWindow: Duration = .seconds(120)
    ) {
        self.name = name
        self.subject = subject
        self.replicas = replicas
        self.storage = storage
        self.maximumEntries = maximumEntries
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
        self.duplicateWindow = duplicateWindow
    }
}

/// Where a server stores entries.
public enum StorageKind: Sendable, Equatable {
    /// On disk.
    case file
    /// In memory: lost when the servers stop.
    case memory
}

/// A durable sequence of entries, numbered from 1.
public protocol TransportStream: AnyObject, Sendable {
    /// The configuration with which it was opened.
    var configuration: StreamConfiguration { get }

    /// Appends an entry, and returns when it is stored on a majority of the replicas.
    ///
    /// - Parameters:
    ///   - payload: The bytes of the entry.
    ///   - id: If the stream has accepted this id within its duplicate window, nothing is appended, and the receipt is
    ///     that of the entry that exists. This is checked before `expected`.
    ///   - expected: The sequence of the last entry, 0 for an empty stream that has never had one. Otherwise the
    ///     append is refused.
    /// - Throws: ``TransportError/conflict(expected:found:)`` if the last sequence is another one;
    ///   ``TransportError/timeout`` or ``TransportError/disconnected``, after which it is unknown whether the entry has
    ///   been appended; ``TransportError/payloadTooLarge(size:limit:)``; ``TransportError/storageFull(_:)``.
    func append(
        _ payload: [UInt8], id: String?, expecting expected: UInt64?
    ) async throws(TransportError) -> AppendReceipt

    /// Returns the sequences of the first and the last entry.
    func bounds() async throws(TransportError) -> StreamBounds

    /// Begins to read after a sequence. Does not wait: errors appear in ``TransportCursor/next(upTo:)``.
    func read(after sequence: UInt64) -> any TransportCursor
}

/// The answer to an append.
public struct AppendReceipt: Sendable, Equatable {
    /// The sequence of the entry.
    public let sequence: UInt64
    /// Whether the entry existed already, because its id had been accepted before.
    public let isDuplicate: Bool

    /// Creates a receipt.
    public init(sequence: UInt64, isDuplicate: Bool = false) {
        self.sequence = sequence
        self.isDuplicate = isDuplicate
    }
}

/// The first and the last sequence of a stream.
public struct StreamBounds: Sendable, Equatable {
    /// The sequence of the first entry that still exists, or `last + 1` if there is none.
    public let first: UInt64
    /// The sequence of the last entry ever appended, 0 if there was none.
    public let last: UInt64

    /// Creates bounds.
    public init(first: UInt64, last: UInt64) {
        self.first = first
        self.last = last
    }
}

/// An entry of a stream.
public struct StreamEntry: Sendable, Equatable {
    /// The sequence of the entry.
    public let sequence: UInt64
    /// The bytes of the entry.
    public let payload: [UInt8]

    /// Creates an entry.
    public init(sequence: UInt64, payload: [UInt8]) {
        self.sequence = sequence
        self.payload = payload
    }
}

/// A position in a stream, read by one task at a time.
///
/// **Order**: sequences ascend strictly over all calls. An entry is missing only if it was removed from the stream.
///
/// **Flow control**: the cursor holds at most a fixed number of entries in advance (in the order of 256 entries and one
/// megabyte). While nobody calls ``next(upTo:)``, it requests no more from the server.
///
/// **Reconnects**: the cursor resumes by itself after the last entry that it has returned. It may instead throw
/// ``TransportError/disconnected`` or ``TransportError/timeout``; the owner then opens another one.
public protocol TransportCursor: AnyObject, Sendable {
    /// Returns the next entries as soon as there is one: at least one, at most `limit`.
    ///
    /// - Throws: ``TransportError/compacted(from:)`` if the entry after the last one read, or after the sequence that
    ///   the cursor was opened with, has been removed from the stream, with the first sequence that still exists.
    ///   ``TransportError/sequenceBeyondEnd(requested:last:)`` if the stream ends before the sequence it was opened
    ///   with, for example because the servers have lost the stream. After an error, the cursor is of no further use.
    ///   Exception: ``TransportError/cancelled`` loses no entry, and the next call continues.
    func next(upTo limit: Int) async throws(TransportError) -> [StreamEntry]

    /// Ends the cursor and releases what it holds. A waiting ``next(upTo:)`` throws ``TransportError/closed``.
    /// Idempotent. Never waits.
    func close()
}
