public import ReactiveSignals

/// A change of who is there.
public enum PresenceChange<Member: Sendable>: Sendable {
    /// A member has come.
    case joined(BucketKey, Member)
    /// A member has changed what it says about itself.
    case updated(BucketKey, Member)
    /// A member has left, or its lease has run out.
    case left(BucketKey, Member)
}

extension PresenceChange: Equatable where Member: Equatable {}

/// Who is there, over all processes.
///
/// ```swift
/// let presence = Presence<User>(in: bucket, codec: .json)
/// let membership = presence.join(user, as: try BucketKey("tab-17"))
/// presence.members.producer.startWithNext { show($0.values) }
/// membership.dispose()
/// ```
///
/// **Leases**: a member writes a heartbeat four times per lease. An observer that has seen none for a lease reads the key,
/// and drops the member if the servers have no newer heartbeat either. So a process that dies is gone after its lease,
/// and a member whose heartbeats reach the servers stays, however late they arrive here.
///
/// **While an observer is cut off**, it drops nobody, because it cannot know: ``isSynchronized`` is `false`. Afterwards
/// each member has one lease to show itself. A member that is cut off itself is gone for the others after its lease, and
/// comes back by its next heartbeat.
///
/// All times are intervals of monotonic clocks. No clocks are compared.
///
/// Use a bucket of its own, with ``BucketConfiguration/maximumAge`` of a few leases, so that the servers forget what the
/// dead have left.
public final class Presence<Member: Sendable>: Sendable {
    /// The members, by their keys.
    public let members: Property<[BucketKey: Member]>
    /// Joins, updates and leaves, each after ``members`` has changed.
    public let changes: Signal<PresenceChange<Member>, Never>
    /// Whether changes arrive.
    public let isSynchronized: Property<Bool>
    /// Members that cannot be read, and the end of the watch.
    public let problems: Signal<TransportError, Never>

    private let bucket: any TransportBucket
    private let codec: Codec<Member>
    private let origin: Origin
    private let lane: Lane
    private let observation: PresenceObservation<Member>

    /// Begins to observe who is there.
    ///
    /// - Parameters:
    ///   - bucket: The bucket. All its keys are members.
    ///   - codec: Turns members into bytes and back.
    ///   - origin: Who joins.
    ///   - scheduler: Measures the leases. By default, a dispatch queue of its own.
    public init(
        in bucket: any TransportBucket, codec: Codec<Member>, as origin: Origin = .random(),
        on scheduler: some DelayScheduler = QueueScheduler(name: "Presence")
    ) {
        self.bucket = bucket
        self.codec = codec
        self.origin = origin
        lane = Lane(scheduler)
        observation = PresenceObservation(bucket, codec, lane)
        members = Property(observation.members)
        changes = observation.changes.output
        isSynchronized = observation.isSynchronized.skipRepeats()
        problems = observation.problems.output
        observation.begin()
    }

    deinit { observation.end() }

    /// Joins, until the returned membership is disposed of or released.
    ///
    /// - Parameters:
    ///   - member: What the others see.
    ///   - key: Identifies the member. Two members with the same key are one, as the last heartbeat describes it.
    ///   - lease: How long the others wait for a heartbeat. Traps unless at least 40 milliseconds.
    public func join(_ member: Member, as key: BucketKey, lease: Duration = .seconds(10)) -> Membership<Member> {
        precondition(lease >= .milliseconds(40), "Presence.join(lease: \(lease)): at least 40 milliseconds")
        return Membership(member, key, lease, in: bucket, codec, origin, lane)
    }
}
