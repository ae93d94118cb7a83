public import ReactiveSignals

/// How a bucket is stored.
public struct BucketConfiguration: Sendable, Equatable {
    /// The name of the bucket.
    public var name: ResourceName
    /// The number of servers that store each value. A write is acknowledged by a majority.
    public var replicas: Int
    /// Where values are stored.
    public var storage: StorageKind
    /// A value that has not been written for so long is removed, without an event. `nil` for no limit.
    public var maximumAge: Duration?

    /// Creates a configuration.
    public init(
        name: ResourceName, replicas: Int = 1, storage: StorageKind = .file, maximumAge: Duration? = nil
    ) {
        self.name = name
        self.replicas = replicas
        self.storage = storage
        self.maximumAge = maximumAge
    }
}

/// Durable state: one value per key, with a revision that grows with each write to the bucket.
public protocol TransportBucket: AnyObject, Sendable {
    /// The configuration with which it was opened.
    var configuration: BucketConfiguration { get }

    /// Returns the current value of a key, or `nil` if there is none or it was deleted.
    ///
    /// Linearizable: sees every write that was acknowledged before the call.
    func get(_ key: BucketKey) async throws(TransportError) -> BucketEntry?

    /// Writes a value, whatever the present one is.
    ///
    /// - Parameters:
    ///   - value: The bytes of the value.
    ///   - key: The key.
    ///   - id: If the bucket has accepted this id within the last minute, nothing is written, and the revision is that
    ///     of the first time. So a write with an unknown outcome can be repeated.
    /// - Returns: The revision of the value.
    /// - Throws: ``TransportError/timeout`` or ``TransportError/disconnected``, after which it is unknown whether the
    ///   value has been written; ``TransportError/payloadTooLarge(size:limit:)``; ``TransportError/storageFull(_:)``.
    func put(_ value: [UInt8], for key: BucketKey, id: String?) async throws(TransportError) -> UInt64

    /// Writes a value if the present one has a revision.
    ///
    /// - Parameters:
    ///   - value: The bytes of the value.
    ///   - key: The key.
    ///   - revision: The revision of the present value. 0 if there must be none: the key was never written, or its
    ///     value was deleted.
    ///   - id: As in ``put(_:for:id:)``. It is checked before the revision, so a repetition of a write that was
    ///     accepted succeeds, and a conflict means that no attempt with this id has written or will write.
    /// - Returns: The revision of the new value.
    /// - Throws: ``TransportError/conflict(expected:found:)`` if the revision is another one, and as ``put(_:for:id:)``.
    func update(
        _ value: [UInt8], for key: BucketKey, expecting revision: UInt64, id: String?
    ) async throws(TransportError) -> UInt64

    /// Deletes the value of a key, whatever it is. Deleting a key without a value succeeds.
    func delete(_ key: BucketKey) async throws(TransportError)

    /// Observes a key, or all keys: first the present values, then ``BucketEvent/synchronized``, then each change.
    ///
    /// - Parameters:
    ///   - key: `nil` for all keys.
    ///   - receive: A handler, under the rules of ``Transport``.
    func watch(
        _ key: BucketKey?, receive: @escaping @Sendable (BucketEvent) -> Void
    ) throws(TransportError) -> any Disposable
}

/// A value of a bucket.
public struct BucketEntry: Sendable, Equatable {
    /// The key.
    public let key: BucketKey
    /// The bytes of the value.
    public let value: [UInt8]
    /// The revision of the value. Greater than that of every earlier write to the bucket.
    public let revision: UInt64

    /// Creates an entry.
    public init(key: BucketKey, value: [UInt8], revision: UInt64) {
        self.key = key
        self.value = value
        self.revision = revision
    }
}

/// What a watch of a bucket reports.
///
/// The revisions of one key never descend. An observer may miss a value that a later one has replaced, but never the
/// last one.
public enum BucketEvent: Sendable, Equatable {
    /// The value of a key.
    case value(BucketEntry)
    /// The value of a key was deleted.
    case deleted(BucketKey, revision: UInt64)
    /// All present values have been reported. Sent once per snapshot, also if there is no value.
    case synchronized
    /// The connection to the server is lost. After the reconnect follow a new snapshot and
    /// ``synchronized``, or the changes since and ``synchronized``.
    ///
    /// - Parameter isSnapshot: Whether a whole snapshot follows, so that a key that it does not report has no value.
    case interrupted(isSnapshot: Bool)
    /// The watch has ended, for example because the transport was closed. The last event.
    case failed(TransportError)
}
