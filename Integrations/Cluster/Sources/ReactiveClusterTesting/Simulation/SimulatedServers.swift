import ReactiveSignals
import ReactiveSignalsTesting

/// The state of the servers of a simulated network: one replicated store, as a client sees it.
struct SimulatedServers {
    struct Stream {
        let configuration: StreamConfiguration
        var entries: [StreamEntry] = []
        var first: UInt64 = 1
        var last: UInt64 = 0
        var ids: [String: (sequence: UInt64, instant: Duration)] = [:]

        mutating func append(
            _ payload: [UInt8], _ id: String?, _ expected: UInt64?, at now: Duration
        ) -> Result<AppendReceipt, TransportError> {
            if let id, let known = ids[id], now - known.instant < configuration.duplicateWindow {
                return .success(AppendReceipt(sequence: known.sequence, isDuplicate: true))
            }
            if let expected, expected != last { return .failure(.conflict(expected: expected, found: last)) }
            last += 1
            entries.append(StreamEntry(sequence: last, payload: payload))
            if let id { ids[id] = (last, now) }
            if let maximum = configuration.maximumEntries { trim(before: last + 1 - min(last, UInt64(maximum))) }
            return .success(AppendReceipt(sequence: last))
        }

        /// Removes the entries before a sequence.
        mutating func trim(before sequence: UInt64) {
            let count = entries.prefix { $0.sequence < sequence }.count
            entries.removeFirst(count)
            first = max(first, min(sequence, last + 1))
        }

        /// Returns the entries after a sequence, an empty array if there are none yet.
        func read(
            after sequence: UInt64, upTo limit: Int
        ) -> Result<[StreamEntry], TransportError> {
            if sequence > last {
                return .failure(.sequenceBeyondEnd(requested: sequence, last: last))
            }
            if sequence + 1 < first { return .failure(.compacted(from: first)) }
            return .success(Array(entries.dropFirst(Int(sequence + 1 - first)).prefix(limit)))
        }
    }

    struct Bucket {
        struct Stored {
            var value: [UInt8]?
            var revision: UInt64
            var instant: Duration
        }

        let configuration: BucketConfiguration
        var stored: [BucketKey: Stored] = [:]
        var revision: UInt64 = 0
        var ids: [String: UInt64] = [:]

        func isExpired(_ value: Stored, _ now: Duration) -> Bool {
            configuration.maximumAge.map { now - value.instant >= $0 } ?? false
        }

        /// The value of a key, unless it was deleted or is too old.
        func entry(_ key: BucketKey, _ now: Duration) -> BucketEntry? {
            guard let stored = stored[key], let value = stored.value, !isExpired(stored, now) else { return nil }
            return BucketEntry(key: key, value: value, revision: stored.revision)
        }

        /// - Returns: The revision, and whether something was written.
        mutating func write(
            _ value: [UInt8]?, _ key: BucketKey, expecting expected: UInt64?, _ id: String?, _ now: Duration
        ) -> Result<(revision: UInt64, isNew: Bool), TransportError> {
            if let id, let revision = ids[id] { return .success((revision, false)) }
            if let expected {
                let found = entry(key, now)?.revision ?? 0
                if found != expected { return .failure(.conflict(expected: expected, found: found)) }
            }
            revision += 1
            stored[key] = Stored(value: value, revision: revision, instant: now)
            if let id { ids[id] = revision }
            return .success((revision, true))
        }

        /// The events that bring an observer up to date that has seen everything up to a revision.
        func events(after revision: UInt64, _ now: Duration) -> [BucketEvent] {
            stored.filter { $0.value.revision > revision && !isExpired($0.value, now) }
                .sorted { $0.value.revision < $1.value.revision }
                .compactMap { key, stored in
                    if let value = stored.value {
                        return .value(BucketEntry(key: key, value: value, revision: stored.revision))
                    }
                    // A snapshot has no deletions.
                    return revision == 0 ? nil : .deleted(key, revision: stored.revision)
                }
        }
    }

    var streams: [ResourceName: Stream] = [:]
    var buckets: [ResourceName: Bucket] = [:]
    var isUp = true
}
