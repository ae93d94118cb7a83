import ReactiveSignals
import Synchronization

/// Follows a bucket, or one key of it, on a lane.
///
/// The handler of the transport keeps only the latest event of each key until the lane reads it. So memory is bounded by
/// the number of keys, however slow the lane is.
final class BucketMirror: Sendable {
    /// What has changed since the last update.
    struct Update: Sendable {
        /// The latest event of each key that has changed, in the order of the first of its events.
        var changes: [Change] = []
        /// All keys with a value, if a snapshot has become complete. The keys of later changes may differ.
        var snapshot: Set<BucketKey>?
        /// Whether all changes arrive. `false` from the loss of the connection until what it has missed has arrived.
        var isSynchronized = false
        /// Why the watch has ended.
        var failure: TransportError?
    }

    struct Change: Sendable {
        let key: BucketKey
        let revision: UInt64
        /// `nil` for a deletion.
        let value: [UInt8]?
        /// Whether it is part of a snapshot.
        let isSnapshot: Bool
    }

    private struct State {
        var latest: [BucketKey: Change] = [:]
        var order: [BucketKey] = []
        /// The keys with a value in the snapshot that is arriving. `nil` if none is.
        var arriving: Set<BucketKey>? = []
        var snapshot: Set<BucketKey>?
        var isSynchronized = false
        var failure: TransportError?
        var isReading = false
    }

    private let state = Mutex(State())
    private let bucket: any TransportBucket
    private let key: BucketKey?
    private let lane: Lane
    private let apply: @Sendable (Update) -> Void
    /// The watch, or the timer of the next attempt.
    private let watch = SerialDisposable()

    /// The delay before a watch that has failed is begun again.
    private static let pause = Duration.seconds(1)

    /// - Parameter apply: Called on the lane. Must not retain the owner of the mirror.
    init(
        _ bucket: any TransportBucket, _ key: BucketKey?, on lane: Lane, apply: @escaping @Sendable (Update) -> Void
    ) {
        self.bucket = bucket
        self.key = key
        self.lane = lane
        self.apply = apply
    }

    func begin() {
        do throws(TransportError) {
            watch.inner = try bucket.watch(key) { [weak self] event in self?.receive(event) }
        } catch {
            receive(.failed(error))
        }
    }

    func end() { watch.dispose() }

    private func receive(_ event: BucketEvent) {
        let isToRead = state.withLock { state in
            switch event {
            case .value(let entry): Self.note(entry.key, entry.revision, entry.value, &state)
            case .deleted(let key, let revision): Self.note(key, revision, nil, &state)
            case .synchronized:
                state.isSynchronized = true
                if let arrived = state.arriving {
                    state.snapshot = arrived
                    state.arriving = nil
                }
            case .interrupted(let isSnapshot):
                state.isSynchronized = false
                if isSnapshot {
                    state.arriving = []
                    state.snapshot = nil
                }
            case .failed(let error):
                state.isSynchronized = false
                state.failure = error
                // The next watch begins with a snapshot.
                state.arriving = []
                state.snapshot = nil
            }
            defer { state.isReading = true }
            return !state.isReading
        }
        if isToRead { lane.run { self.read() } }
    }

    private static func note(_ key: BucketKey, _ revision: UInt64, _ value: [UInt8]?, _ state: inout State) {
        if state.latest[key] == nil { state.order.append(key) }
        state.latest[key] = Change(
            key: key, revision: revision, value: value, isSnapshot: state.arriving != nil)
        if value == nil { state.arriving?.remove(key) } else { state.arriving?.insert(key) }
    }

    private func read() {
        let update = state.withLock { state in
            state.isReading = false
            var update = Update(isSynchronized: state.isSynchronized, failure: state.failure)
            update.changes = state.order.compactMap { state.latest[$0] }
            update.snapshot = state.snapshot
            state.latest = [:]
            state.order = []
            state.snapshot = nil
            state.failure = nil
            return update
        }
        if let error = update.failure, error.isTransient {
            watch.inner = lane.run(after: Self.pause) { [weak self] in self?.begin() }
        }
        apply(update)
    }
}
