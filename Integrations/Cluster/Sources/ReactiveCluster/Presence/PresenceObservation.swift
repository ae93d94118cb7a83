import ReactiveSignals

/// The observing side of a ``Presence``.
final class PresenceObservation<Member: Sendable>: @unchecked Sendable {
    // Sendable: only the lane uses the variables.

    private struct Seen {
        let member: Member
        /// The bytes of the member, to tell an update from a heartbeat.
        let bytes: ArraySlice<UInt8>
        let revision: UInt64
        let lease: Duration
        var deadline: Duration
        /// Whether the key is being read, because the lease has run out.
        var isChecking = false
    }

    let members = MutableProperty<[BucketKey: Member]>([:], contention: .enqueue)
    let changes = Signal<PresenceChange<Member>, Never>.pipe(contention: .enqueue)
    let isSynchronized = MutableProperty(false, contention: .enqueue)
    let problems = Signal<TransportError, Never>.pipe(contention: .enqueue)

    private let bucket: any TransportBucket
    private let codec: Codec<Member>
    private let lane: Lane
    private let timer = SerialDisposable()
    private let watch = SerialDisposable()
    private var seen: [BucketKey: Seen] = [:]
    /// When the timer fires.
    private var alarm: Duration?

    /// How long to wait before a lease that could not be checked is checked again.
    private static var pause: Duration { .milliseconds(250) }

    init(_ bucket: any TransportBucket, _ codec: Codec<Member>, _ lane: Lane) {
        self.bucket = bucket
        self.codec = codec
        self.lane = lane
    }

    func begin() {
        let mirror = BucketMirror(bucket, nil, on: lane) { [weak self] update in self?.apply(update) }
        watch.inner = AnyDisposable { mirror.end() }
        mirror.begin()
    }

    func end() {
        watch.dispose()
        timer.dispose()
        changes.input.sendCompleted()
        problems.input.sendCompleted()
    }

    private func apply(_ update: BucketMirror.Update) {
        var events: [PresenceChange<Member>] = []
        for change in update.changes {
            guard let bytes = change.value else {
                if let former = seen[change.key], change.revision > former.revision {
                    remove(change.key, &events)
                }
                continue
            }
            see(change.key, bytes, change.revision, &events)
        }
        if let snapshot = update.snapshot {
            let changed = Set(update.changes.map(\.key))
            for key in seen.keys.sorted(by: { $0.description < $1.description })
            where !snapshot.contains(key) && !changed.contains(key) { remove(key, &events) }
        }
        if update.isSynchronized, !isSynchronized.value {
            // What was missed may have been heartbeats: each member has one lease to show itself.
            let now = lane.now
            seen = seen.mapValues { member in
                var member = member
                member.deadline = now + member.lease
                return member
            }
        }
        report(events)
        if isSynchronized.value != update.isSynchronized { isSynchronized.value = update.isSynchronized }
        if let error = update.failure { problems.input.sendNext(error) }
        setTimer()
    }

    private func see(
        _ key: BucketKey, _ bytes: [UInt8], _ revision: UInt64, _ events: inout [PresenceChange<Member>]
    ) {
        if let former = seen[key], former.revision >= revision { return }
        let lease: Duration
        let member: Member
        do throws(UnreadableMessage) {
            (lease, member) = try read(key, bytes, revision)
        } catch {
            return problems.input.sendNext(.unreadable(error))
        }
        let content = bytes.dropFirst(Envelope.size + 8)
        if let former = seen[key] {
            if former.bytes != content { events.append(.updated(key, member)) }
        } else {
            events.append(.joined(key, member))
        }
        seen[key] = Seen(
            member: member, bytes: content, revision: revision, lease: lease, deadline: lane.now + lease)
    }

    private func read(
        _ key: BucketKey, _ bytes: [UInt8], _ revision: UInt64
    ) throws(UnreadableMessage) -> (Duration, Member) {
        let codec = Codec<(Duration, Member)>(
            encode: { _, _ in },
            decode: { [codec] bytes in
                guard bytes.byteCount >= 8 else { throw MissingLease() }
                let milliseconds = bytes.withUnsafeBytes {
                    UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self))
                }
                // A lease of more than a day is a mistake of the sender.
                return (.milliseconds(Int64(min(milliseconds, 86_400_000))), try codec.decode(bytes.extracting(8...)))
            })
        return try codec.value(
            of: bytes.span.bytes, at: "\(bucket.configuration.name)/\(key)", revision, limit: 1 << 20
        ).1
    }

    private func remove(_ key: BucketKey, _ events: inout [PresenceChange<Member>]) {
        if let former = seen.removeValue(forKey: key) { events.append(.left(key, former.member)) }
    }

    /// Changes the property once, and then reports each change.
    private func report(_ events: [PresenceChange<Member>]) {
        guard !events.isEmpty else { return }
        members.value = seen.mapValues(\.member)
        for event in events { changes.input.sendNext(event) }
    }

    // MARK: Leases

    /// Schedules the next check of leases.
    private func setTimer() {
        let deadlines = seen.values.lazy.filter { !$0.isChecking }.map(\.deadline)
        guard isSynchronized.value, let first = deadlines.min() else { return }
        // A timer that fires too early finds nothing, and is set again.
        if let alarm, alarm <= first { return }
        alarm = first
        timer.inner = lane.run(after: max(first - lane.now, .zero)) { [weak self] in
            guard let self else { return }
            alarm = nil
            check()
            setTimer()
        }
    }

    private func check() {
        guard isSynchronized.value else { return }
        let now = lane.now
        for (key, member) in seen.sorted(by: { $0.value.revision < $1.value.revision })
        where member.deadline <= now && !member.isChecking {
            seen[key]?.isChecking = true
            SignalProducer<BucketEntry?, TransportError>.async { [bucket] () async throws(TransportError) in
                try await bucket.get(key)
            }.startWithResult { [weak self] result in
                self?.lane.run { [weak self] in self?.hasChecked(key, member.revision, result) }
            }
        }
    }

    private func hasChecked(_ key: BucketKey, _ revision: UInt64, _ result: Result<BucketEntry?, TransportError>) {
        guard let member = seen[key] else { return }
        seen[key]?.isChecking = false
        var events: [PresenceChange<Member>] = []
        switch result {
        // A heartbeat has arrived in the meantime, which has set the deadline.
        case _ where member.revision != revision: break
        case .failure(let error):
            seen[key]?.deadline = lane.now + Self.pause
            problems.input.sendNext(error)
        case .success(let entry?) where entry.revision > revision: see(key, entry.value, entry.revision, &events)
        case .success: remove(key, &events)
        }
        report(events)
        setTimer()
    }
}

private struct MissingLease: Error, CustomStringConvertible {
    var description: String { "it has no lease" }
}
