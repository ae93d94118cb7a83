public import ReactiveSignals

/// An entry of a ``Journal``.
public struct JournalEntry<Value: Sendable>: Sendable {
    /// The sequence of the entry: the place to resume after.
    public let sequence: UInt64
    /// Who has appended it, unless it is foreign.
    public let origin: Origin?
    /// The value, or why it cannot be read.
    public let content: Result<Value, UnreadableMessage>

    /// Returns the value.
    ///
    /// - Throws: Why it cannot be read. Later entries may be readable.
    public func value() throws(UnreadableMessage) -> Value { try content.get() }
}

extension JournalEntry: Equatable where Value: Equatable {}

/// A durable sequence of values that all processes append to and read in the same order.
///
/// ```swift
/// let journal = try await Journal<Incident>(StreamConfiguration(name: ..., subject: ..., replicas: 3), over: transport)
/// let sequence = try await journal.append(incident)
/// journal.producer(after: lastApplied).startWithResult { ... }
/// ```
///
/// **Promise**: an append that returns is stored on a majority of the replicas, once. Every start of ``producer(after:)``
/// receives all entries after the one that it names, in order, without a gap or a repetition, over any number of
/// reconnects. If entries that it needs have been removed, it fails with ``TransportError/compacted(from:)``.
///
/// **Not promised**: an entry that was acknowledged is lost if all replicas lose their power before they have written it
/// to disk: see *Many machines*.
public final class Journal<Value: Sendable>: Sendable {
    /// How the stream is stored.
    public var configuration: StreamConfiguration { stream.configuration }

    private let stream: any TransportStream
    private let codec: Codec<Value>
    private let envelope: Envelope
    private let limit: Int
    private let retry: RetryPolicy<TransportError>
    private let reconnect: RetryPolicy<TransportError>
    private let lane: Lane

    /// Opens a journal, and creates its stream if it does not exist.
    ///
    /// - Parameters:
    ///   - configuration: How the stream is stored.
    ///   - transport: The connection.
    ///   - codec: Turns values into bytes and back.
    ///   - origin: Who appends.
    ///   - limit: The largest entry with its envelope, in bytes. The limit of the server applies too.
    ///   - retry: How often opening and appending are attempted. A repeated append has no second effect within the
    ///     duplicate window of the stream.
    ///   - reconnect: When a producer that has lost the server tries again.
    ///   - scheduler: Measures the delays. By default, a dispatch queue of its own.
    /// - Throws: Why the stream cannot be opened, for example ``TransportError/noStorage`` or
    ///   ``TransportError/configurationMismatch(name:difference:)``.
    public init(
        _ configuration: StreamConfiguration, over transport: any Transport, codec: Codec<Value>,
        as origin: Origin = .random(), limit: Int = 1 << 20, retry: RetryPolicy<TransportError> = .transient,
        reconnect: RetryPolicy<TransportError> = .untilReconnected,
        on scheduler: some DelayScheduler = QueueScheduler(name: "Journal")
    ) async throws(TransportError) {
        lane = Lane(scheduler)
        stream = try await lane.retrying(retry) { () async throws(TransportError) in
            try await transport.stream(configuration)
        }
        self.codec = codec
        self.limit = min(limit, transport.maximumPayload)
        self.retry = retry
        self.reconnect = reconnect
        envelope = Envelope(kind: .value, origin: origin, epoch: .random(in: .min ... .max), sequence: 0)
    }

    /// Appends a value, and returns when a majority of the replicas has it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - id: Identifies the append. If it was accepted within the duplicate window, nothing is appended. By default a
    ///     random one, which makes the attempts of this call one append. Pass your own to repeat a call whose outcome
    ///     is unknown.
    ///   - expected: The sequence of the last entry, for optimistic concurrency. `nil` to append after whatever is
    ///     there.
    /// - Returns: The sequence of the entry.
    /// - Throws: ``TransportError/conflict(expected:found:)`` if another entry is the last one: nothing was appended. If
    ///   ``TransportError/isOutcomeUnknown`` is `true`, the value may have been appended, or may still be.
    @discardableResult
    public func append(
        _ value: Value, id: String? = nil, expecting expected: UInt64? = nil
    ) async throws(TransportError) -> UInt64 {
        let bytes = try codec.message(envelope, value, limit: limit)
        let id = id ?? randomID()
        return try await lane.retrying(retry) { [stream] () async throws(TransportError) in
            try await stream.append(bytes, id: id, expecting: expected).sequence
        }
    }

    /// Returns the sequences of the first and the last entry.
    public func bounds() async throws(TransportError) -> StreamBounds {
        try await lane.retrying(retry) { [stream] () async throws(TransportError) in try await stream.bounds() }
    }

    /// Returns a producer of the entries after a sequence, which then waits for new ones.
    ///
    /// **Back-pressure**: the next entry is taken from the transport when the previous one has been delivered and there
    /// is room, as `SignalProducer.unfold` describes. So a slow observer slows down the reading, and memory does not
    /// grow: `buffer(upTo:whenFull: .suspend)` and `values(buffering: .suspending(n))` suspend it too.
    ///
    /// Fails with ``TransportError/compacted(from:)`` if an entry that it needs has been removed, and with
    /// ``TransportError/sequenceBeyondEnd(requested:last:)`` if the stream ends before `sequence`. Other errors are
    /// retried by the policy `reconnect`.
    ///
    /// - Parameter sequence: The last entry that is known already, 0 for none.
    public func producer(after sequence: UInt64) -> SignalProducer<JournalEntry<Value>, TransportError> {
        let (stream, codec, limit, reconnect, lane) = (stream, codec, limit, reconnect, lane)
        // Not `using`, which would hide from operators that this source can be suspended.
        return .unfold(nil as JournalReader<Value>?) { reader async throws(TransportError) in
            let reader =
                reader ?? JournalReader(stream, codec, after: sequence, limit: limit, reconnect, lane)
            return (try await reader.next(), reader)
        }
    }
}

/// Returns an id that no other call has.
func randomID() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 36) + "-" + String(generator.next(), radix: 36)
}
