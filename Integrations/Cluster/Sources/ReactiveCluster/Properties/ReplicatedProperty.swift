public import ReactiveSignals
import Synchronization

/// A value that several processes read and change, kept under a key of a bucket.
///
/// ```swift
/// let limit = ReplicatedProperty(100, key: try BucketKey("limits.orders"), in: bucket, codec: .json)
/// let isBusy = limit.combineLatest(with: load).map { limit, load in load > limit }
/// try await limit.modify { $0 += 10 }
/// ```
///
/// It is a property like others: derive from it with `map` and `combineLatest`, observe it, bind to it. Everything
/// that is derived from it is consistent.
///
/// **Promise**: ``modify(_:)`` is atomic over all processes: each body is applied once to the value that the previous one
/// has made, or an error is thrown. Every process sees the values in the same order, but may skip values that later
/// ones replace. Once writes stop and the connection is there, all processes have the last value.
///
/// **Reads are local**, and may be behind: ``isSynchronized`` says whether changes arrive, and ``age`` for how long
/// nothing has confirmed the value. ``refresh()`` asks the servers.
///
/// The property follows the key as long as it is retained. Then its streams complete.
public final class ReplicatedProperty<Value: Sendable>: PropertyForwarding {
    /// What is known about the key at one moment.
    private struct Known: Sendable {
        var value: Value
        /// The revision of the last change, a deletion too. 0 if the key was never written.
        var revision: UInt64 = 0
        /// The revision that a write must expect.
        var expected: UInt64 = 0
        var isSynchronized = false
        /// Counts the changes of the value.
        var change: UInt64 = 0
    }

    /// The value. The initial value until another one is known, and after the key was deleted.
    public let forwarded: Property<Value>
    /// The revision of the value: 0 until the key was written.
    public let revision: Property<UInt64>
    /// Whether changes arrive. `false` until the first snapshot, and from the loss of the connection until what was
    /// missed has arrived.
    public let isSynchronized: Property<Bool>
    /// What has gone wrong without a call that could throw: a value that cannot be read, a watch that has ended, a value
    /// from a binding that could not be written.
    public let problems: Signal<TransportError, Never>

    private let initial: Value
    private let key: BucketKey
    private let bucket: any TransportBucket
    private let codec: Codec<Value>
    private let envelope: Envelope
    private let limit: Int
    private let retry: RetryPolicy<TransportError>
    private let lane: Lane
    private let known: MutableProperty<Known>
    /// When the value was last known to be the current one.
    private let confirmed: Mutex<Duration>
    /// The revision of the last value that could not be read, 0 if there was none.
    private let unreadable = Mutex<UInt64>(0)
    private let problem: Signal<TransportError, Never>.Observer
    private let bound = Signal<Value, Never>.pipe(contention: .enqueue)
    private let mirror = Mutex<BucketMirror?>(nil)

    /// Creates a property, and begins to follow the key.
    ///
    /// - Parameters:
    ///   - initial: The value until the key was written.
    ///   - key: The key.
    ///   - bucket: The bucket: see ``Transport/bucket(_:)``.
    ///   - codec: Turns values into bytes and back.
    ///   - origin: Who writes.
    ///   - limit: The largest value with its envelope, in bytes.
    ///   - retry: How often a write or a refresh is attempted. A repeated write has no second effect.
    ///   - scheduler: Applies changes, and measures the time. By default, a dispatch queue of its own.
    public init(
        _ initial: Value, key: BucketKey, in bucket: any TransportBucket, codec: Codec<Value>,
        as origin: Origin = .random(), limit: Int = 1 << 20, retry: RetryPolicy<TransportError> = .transient,
        on scheduler: some DelayScheduler = QueueScheduler(name: "ReplicatedProperty")
    ) {
        self.initial = initial
        self.key = key
        self.bucket = bucket
        self.codec = codec
        self.limit = limit
        self.retry = retry
        envelope = Envelope(kind: .value, origin: origin, epoch: .random(in: .min ... .max), sequence: 0)
        lane = Lane(scheduler)
        confirmed = Mutex(lane.now)
        // Without waiting, because tasks and the lane change it.
        known = MutableProperty(Known(value: initial), contention: .enqueue)
        (problems, problem) = Signal<TransportError, Never>.pipe(contention: .enqueue)
        // Derived from one property, so that they are consistent with one another.
        forwarded = known.skipRepeats { $0.change == $1.change }.map(\.value)
        revision = known.map(\.revision).skipRepeats()
        isSynchronized = known.map(\.isSynchronized).skipRepeats()

        let mirror = BucketMirror(bucket, key, on: lane) { [weak self] update in self?.apply(update) }
        self.mirror.withLock { $0 = mirror }
        bound.output
            .flatMap(.concat(waiting: 1, whenFull: .dropOldest)) { [weak self] value in
                SignalProducer.async { [weak self] () async in
                    do throws(TransportError) {
                        try await self?.set(value)
                    } catch {
                        self?.problem.sendNext(error)
                    }
                }
            }
            .observeNext { _ in }
        mirror.begin()
    }

    deinit {
        mirror.withLock { $0 }?.end()
        bound.input.sendCompleted()
        problem.sendCompleted()
    }

    /// For how long nothing has confirmed that the value is the current one.
    ///
    /// A change, an answer of the servers to a write or to ``refresh()``, and a complete snapshot confirm it. So it also
    /// grows while the value just does not change: call ``refresh()`` if that matters.
    public var age: Duration { lane.now - confirmed.withLock { $0 } }

    // MARK: Reading

    /// Reads the value from the servers, and returns it. Sees every write that was acknowledged before the call.
    ///
    /// - Throws: ``TransportError/unreadable(_:)`` if another version of the program has written it, or that the servers
    ///   cannot be reached.
    @discardableResult
    public func refresh() async throws(TransportError) -> Value { try await fetch().value }

    private func fetch() async throws(TransportError) -> (value: Value, expected: UInt64) {
        let (start, change) = (lane.now, known.value.change)
        let entry = try await lane.retrying(retry) { [bucket, key] () async throws(TransportError) in
            try await bucket.get(key)
        }
        var read: (value: Value, expected: UInt64) = (initial, 0)
        if let entry {
            do throws(UnreadableMessage) {
                read = (try decode(entry.value, entry.revision), entry.revision)
            } catch {
                throw .unreadable(error)
            }
        }
        // If nothing was learned in the meantime, the answer counts even if its revision is lower: then the servers
        // have lost the bucket.
        take(read.value, read.expected, read.expected, at: start, unlessChangedSince: change)
        return read
    }

    private func decode(_ bytes: [UInt8], _ revision: UInt64) throws(UnreadableMessage) -> Value {
        try codec.value(
            of: bytes.span.bytes, at: "\(bucket.configuration.name)/\(key)", revision, limit: limit
        ).1
    }

    /// Takes what is newer than what is known.
    private func take(
        _ value: Value, _ revision: UInt64, _ expected: UInt64, at instant: Duration,
        unlessChangedSince change: UInt64? = nil
    ) {
        let former: Known? = known.modify { known in
            // The answer to a read has no revision if the key was deleted.
            let isReset = known.change == change && (revision != known.revision && expected != known.expected)
            guard revision > known.revision || isReset else { return nil }
            if isReset { unreadable.withLock { $0 = 0 } }
            let former = known
            known.value = value
            known.revision = revision
            known.expected = expected
            known.change += 1
            return former
        }
        confirmed.withLock { $0 = max($0, instant) }
        // Released after the body of `modify`.
        withExtendedLifetime(former) {}
    }

    private func apply(_ update: BucketMirror.Update) {
        let now = lane.now
        var isBehind = false
        for change in update.changes {
            if change.isSnapshot, change.revision < known.value.revision { isBehind = true }
            guard let bytes = change.value else {
                take(initial, change.revision, 0, at: now)
                continue
            }
            guard change.revision > known.value.revision else { continue }
            do throws(UnreadableMessage) {
                take(try decode(bytes, change.revision), change.revision, change.revision, at: now)
            } catch {
                unreadable.withLock { $0 = change.revision }
                problem.sendNext(.unreadable(error))
            }
        }
        if let snapshot = update.snapshot, snapshot.isEmpty, known.value.expected > 0, update.changes.isEmpty {
            isBehind = true
        }
        // An old replica may have sent the snapshot, or the servers have lost the value: asks those who must know.
        if isBehind {
            SignalProducer<Value, TransportError>.async(refresh).startWithError { [problem] in problem.sendNext($0) }
        }
        // Until a later value replaces the one that could not be read, the present one is out of date.
        let isCurrent = update.isSynchronized && unreadable.withLock { $0 } <= known.value.revision
        if isCurrent { confirmed.withLock { $0 = max($0, now) } }
        if known.value.isSynchronized != isCurrent { known.modify { $0.isSynchronized = isCurrent } }
        if let error = update.failure { problem.sendNext(error) }
    }

    // MARK: Writing

    /// Changes the value atomically over all processes.
    ///
    /// ```swift
    /// let ticket = try await tickets.modify { $0 += 1; return $0 }
    /// ```
    ///
    /// Reads the value, calls `body`, and writes the result if nobody has written in the meantime. Otherwise it begins
    /// again. When it returns, this property has the new value.
    ///
    /// If the answer of the server is lost, the same write is repeated, which has no second effect.
    ///
    /// - Parameter body: Changes the value. Called once per attempt, with another value, so it should do nothing else.
    /// - Throws: ``ModifyError/body(_:)`` if the body throws: nothing was written. ``ModifyError/transport(_:)`` if the
    ///   servers could not be reached: if ``TransportError/isOutcomeUnknown`` is `true`, the change may have been made,
    ///   or may still be.
    @discardableResult
    public func modify<Result: Sendable, Failure: Error>(
        _ body: @Sendable (inout Value) throws(Failure) -> Result
    ) async throws(ModifyError<Failure>) -> Result {
        let (value, expected) = known.withValue { ($0.value, $0.expected) }
        var read = (value: value, expected: expected)
        while true {
            var value = read.value
            let result: Result
            do throws(Failure) {
                result = try body(&value)
            } catch {
                throw .body(error)
            }
            do throws(TransportError) {
                try await write(value, expecting: read.expected)
                return result
            } catch .conflict {
                // Another writer was first.
            } catch {
                throw .transport(error)
            }
            do throws(TransportError) {
                read = try await fetch()
            } catch {
                throw .transport(error)
            }
        }
    }

    private func write(_ value: Value, expecting expected: UInt64?) async throws(TransportError) {
        let bytes = try codec.message(envelope, value, limit: limit)
        // One id for all attempts, so that a repetition of one that was carried out has no effect.
        let id = randomID()
        let start = lane.now
        let revision = try await lane.retrying(retry) { [bucket, key] () async throws(TransportError) in
            if let expected {
                return try await bucket.update(bytes, for: key, expecting: expected, id: id)
            }
            return try await bucket.put(bytes, for: key, id: id)
        }
        take(value, revision, revision, at: start)
    }

    /// Writes a value, whatever the present one is. When it returns, this property has it or a later one.
    ///
    /// - Throws: As ``modify(_:)``.
    public func set(_ value: Value) async throws(TransportError) { try await write(value, expecting: nil) }

    /// Deletes the key, so that the property has its initial value again.
    public func delete() async throws(TransportError) {
        try await lane.retrying(retry) { [bucket, key] () async throws(TransportError) in try await bucket.delete(key) }
        try await refresh()
    }
}

extension ReplicatedProperty: BindingTargetProvider {
    /// A target that writes each value: `replicated <~ signal`. Writes one value at a time, and skips those that are
    /// replaced before their turn. Errors are on ``problems``. It does not retain the property.
    public var bindingTarget: BindingTarget<Value> {
        BindingTarget(lifetime: known.lifetime) { [input = bound.input] value in input.sendNext(value) }
    }
}

/// Why ``ReplicatedProperty/modify(_:)`` has changed nothing, or may not have.
public enum ModifyError<Failure: Error>: Error {
    /// The body has thrown.
    case body(Failure)
    /// The servers have refused the write, or could not be reached.
    case transport(TransportError)
}

extension ModifyError: Equatable where Failure: Equatable {}
