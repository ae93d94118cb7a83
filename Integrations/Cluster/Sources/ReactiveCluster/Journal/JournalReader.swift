import ReactiveSignals
import Synchronization

/// The place of one start in a journal. Closes its cursor when the start releases it.
final class JournalReader<Value: Sendable>: @unchecked Sendable {
    // Sendable: only the task of the start uses it.

    private let stream: any TransportStream
    private let codec: Codec<Value>
    private let limit: Int
    private let reconnect: RetryPolicy<TransportError>
    private let lane: Lane
    /// The last sequence that was returned.
    private var last: UInt64
    /// The entries of the last batch that have not been returned, in reverse order.
    private var batch: [StreamEntry] = []
    private var cursor: (any TransportCursor)?

    /// How many entries are taken from the transport at once.
    private static var batchSize: Int { 128 }

    init(
        _ stream: any TransportStream, _ codec: Codec<Value>, after sequence: UInt64, limit: Int,
        _ reconnect: RetryPolicy<TransportError>, _ lane: Lane
    ) {
        self.stream = stream
        self.codec = codec
        self.limit = limit
        self.reconnect = reconnect
        self.lane = lane
        last = sequence
    }

    deinit { cursor?.close() }

    func next() async throws(TransportError) -> JournalEntry<Value> {
        while true {
            while let entry = batch.popLast() {
                // A cursor that was opened again may repeat entries, although its contract forbids it.
                if entry.sequence <= last { continue }
                if entry.sequence > last + 1 { throw .compacted(from: entry.sequence) }
                last = entry.sequence
                return read(entry)
            }
            batch = try await fetch().reversed()
        }
    }

    private func read(_ entry: StreamEntry) -> JournalEntry<Value> {
        do throws(UnreadableMessage) {
            let (envelope, value) = try codec.value(
                of: entry.payload.span.bytes, at: stream.configuration.name.description, entry.sequence, limit: limit)
            return JournalEntry(sequence: entry.sequence, origin: envelope.origin, content: .success(value))
        } catch {
            return JournalEntry(sequence: entry.sequence, origin: error.origin, content: .failure(error))
        }
    }

    private func fetch() async throws(TransportError) -> [StreamEntry] {
        do throws(TransportError) {
            return try await attempt()
        } catch {
            guard error.isTransient else { throw error }
            // Each series of failures begins with the first delay of the policy.
            let isFirst = Mutex(true)
            return try await lane.retrying(reconnect) { () async throws(TransportError) in
                // The attempt above counts.
                if isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                }) {
                    throw error
                }
                return try await self.attempt()
            }
        }
    }

    private func attempt() async throws(TransportError) -> [StreamEntry] {
        let cursor = self.cursor ?? stream.read(after: last)
        self.cursor = cursor
        do throws(TransportError) {
            return try await cursor.next(upTo: Self.batchSize)
        } catch {
            discard(cursor)
            throw error
        }
    }

    private func discard(_ former: any TransportCursor) {
        former.close()
        cursor = nil
    }
}
