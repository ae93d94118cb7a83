public import ReactiveSignals
import Synchronization

/// A member that this process keeps present: see ``Presence/join(_:as:lease:)``.
///
/// Disposal or release leaves, without waiting. If the process dies instead, or the servers cannot be reached, the member
/// is gone after its lease.
public final class Membership<Member: Sendable>: Disposable {
    /// Whether the last heartbeat was acknowledged.
    public let isConfirmed: Property<Bool>
    /// Heartbeats that have failed. The next one follows anyway.
    public let problems: Signal<TransportError, Never>

    private let heart: Heart<Member>

    init(
        _ member: Member, _ key: BucketKey, _ lease: Duration, in bucket: any TransportBucket, _ codec: Codec<Member>,
        _ origin: Origin, _ lane: Lane
    ) {
        heart = Heart(member, key, lease, bucket, codec, origin, lane)
        isConfirmed = heart.isConfirmed.skipRepeats()
        problems = heart.problems.output
        heart.begin()
    }

    deinit { heart.stop() }

    /// Changes what the others see, with a heartbeat at once.
    public func update(_ member: Member) { heart.update(member) }

    /// Whether it has left.
    public var isDisposed: Bool { heart.isStopped }

    /// Leaves.
    public func dispose() { heart.stop() }
}

/// Sends the heartbeats of a member.
private final class Heart<Member: Sendable>: Sendable {
    private struct State {
        var member: Member
        /// How many heartbeats have not been answered.
        var inFlight = 0
        /// Whether another heartbeat follows at once.
        var isUrgent = false
        var isStopped = false
        var sequence: UInt64 = 0
    }

    private enum Step {
        case nothing
        case beat(Member, UInt64)
        case leave
    }

    let isConfirmed = MutableProperty(false, contention: .enqueue)
    let problems = Signal<TransportError, Never>.pipe(contention: .enqueue)

    private static var maximumInFlight: Int { 4 }

    private let state: Mutex<State>
    private let key: BucketKey
    private let lease: Duration
    private let bucket: any TransportBucket
    private let codec: Codec<Member>
    private let envelope: Envelope
    private let lane: Lane
    private let timer = SerialDisposable()

    init(
        _ member: Member, _ key: BucketKey, _ lease: Duration, _ bucket: any TransportBucket, _ codec: Codec<Member>,
        _ origin: Origin, _ lane: Lane
    ) {
        state = Mutex(State(member: member))
        self.key = key
        self.lease = lease
        self.bucket = bucket
        self.codec = codec
        self.lane = lane
        envelope = Envelope(kind: .value, origin: origin, epoch: .random(in: .min ... .max), sequence: 0)
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func begin() {
        timer.inner = lane.run(every: lease / 4) { [weak self] in self?.beat(isUrgent: false) }
        lane.run { [weak self] in self?.beat(isUrgent: true) }
    }

    func update(_ member: Member) {
        let former = state.withLock { state in
            defer { state.member = member }
            return state.member
        }
        withExtendedLifetime(former) {}
        lane.run { [weak self] in self?.beat(isUrgent: true) }
    }

    func stop() {
        timer.dispose()
        let isToLeave = state.withLock { state in
            if state.isStopped { return false }
            state.isStopped = true
            // The last heartbeat that is on its way leaves when it has been answered, so that none comes later.
            return state.inFlight == 0
        }
        if isToLeave { leave() }
    }

    private func beat(isUrgent: Bool) {
        carryOut(
            state.withLock { state in
                if state.isStopped { return .nothing }
                // A lost one must not hold up the others. The limit is for servers that do not answer.
                if state.inFlight < Self.maximumInFlight { return Self.next(&state) }
                state.isUrgent = state.isUrgent || isUrgent
                return .nothing
            })
    }

    private static func next(_ state: inout State) -> Step {
        state.inFlight += 1
        state.sequence += 1
        state.isUrgent = false
        return .beat(state.member, state.sequence)
    }

    private func hasBeaten(_ result: Result<UInt64, TransportError>) {
        let step: Step = state.withLock { state in
            state.inFlight -= 1
            if state.isStopped { return state.inFlight == 0 ? .leave : .nothing }
            return state.isUrgent ? Self.next(&state) : .nothing
        }
        switch result {
        case .success: isConfirmed.value = true
        case .failure(let error):
            isConfirmed.value = false
            problems.input.sendNext(error)
        }
        carryOut(step)
    }

    private func carryOut(_ step: Step) {
        switch step {
        case .nothing: break
        case .leave: leave()
        case .beat(let member, let sequence):
            var envelope = envelope
            envelope.sequence = sequence
            let milliseconds = UInt64(lease / .milliseconds(1))
            SignalProducer<UInt64, TransportError>.async { [self, envelope] () async throws(TransportError) in
                let bytes: [UInt8]
                do {
                    bytes = try envelope.bytes { bytes in
                        withUnsafeBytes(of: milliseconds.littleEndian) { bytes.append(contentsOf: $0) }
                        try codec.encode(member, &bytes)
                    }
                } catch {
                    throw .encoding("\(error)")
                }
                return try await bucket.put(bytes, for: key, id: nil)
            }.startWithResult { [self] result in hasBeaten(result) }
        }
    }

    private func leave() {
        isConfirmed.value = false
        SignalProducer<Void, TransportError>.async { [bucket, key] () async throws(TransportError) in
            try await bucket.delete(key)
        }.startWithResult { [problems] result in
            if case .failure(let error) = result { problems.input.sendNext(error) }
            problems.input.sendCompleted()
        }
    }
}
