extension Signal {
    /// Sends one group per key, and the values of each key to its group, for a limited number of keys.
    ///
    /// Stores at most `maxKeys` groups, and each group buffers at most `bufferLimit` values until it is first started.
    /// Later starts receive only new values. ``/ColdProducers/HotSignals/Signal/groupBy(_:)`` has no limits.
    ///
    /// ```swift
    /// let requests = SignalProducer(["ada 1", "grace 1", "ada 2"])
    /// let clients = requests.groupBy(
    ///     { $0.prefix { $0 != " " } }, bufferLimit: 100, idle: .seconds(60), maxKeys: 10_000, whenFull: .dropNewest,
    ///     on: TestScheduler())
    /// clients.flatMap(.merge) { $0.producer.count() }.startWithNext { print($0) }
    /// // prints 2
    /// // prints 1
    /// ```
    ///
    /// A group completes, and is forgotten, when no value has come with its key for `idle`. The next value with that
    /// key begins a new group.
    ///
    /// **Overflow**: if a value comes with a new key, and `maxKeys` groups are open, `.dropNewest` drops the value.
    /// `.dropOldest` completes the group whose latest value came first. `.fail` fails with `error`. The same applies to
    /// a value that comes into a group whose buffer is full, where `.dropOldest` drops the first value of the buffer.
    ///
    /// When the source ends, or fails because of an overflow, the result ends, and then each group, in the same way.
    ///
    /// Groups outlive the result, as those of ``/ColdProducers/HotSignals/Signal/groupBy(_:)``. When the result is no
    /// longer observed, values with new keys are dropped, and the source is released as soon as each group has ended,
    /// or its producer has been released and nothing observes it.
    ///
    /// - Parameters:
    ///   - key: Called once per value. The code of the key is called with no lock held.
    ///   - bufferLimit: The maximum number of values that a group buffers. Traps unless positive.
    ///   - idle: How long a group stays open after its latest value. With zero, each value has a group of its own,
    ///     which completes after it. Traps if negative.
    ///   - maxKeys: How many groups are open at most. Traps unless positive.
    ///   - overflow: What happens if one more group or value comes.
    ///   - error: Sent in case of `.fail`, which traps without it.
    ///   - scheduler: Measures the time, and completes groups.
    @_alwaysEmitIntoClient
    public func groupBy<Key: Hashable & Sendable>(
        _ key: @escaping @Sendable (Value) -> Key, bufferLimit: Int, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some DelayScheduler
    ) -> Signal<Group<Key, Value, Failure>, Failure> {
        requireGroups(bufferLimit, idle, maxKeys, overflow, hasError: error != nil)
        let limits = KeyLimits(maxKeys, overflow, raising: error, idle: idle, on: scheduler)
        return derive("groupBy:") {
            LimitedGroupsSink($0, limits, bufferLimit: bufferLimit, key: key)
        }
    }
}

extension SignalProducer {
    /// Sends one group per key, and the values of each key to its group, for a limited number of keys.
    ///
    /// Stores at most `maxKeys` groups, and each group buffers at most `bufferLimit` values until it is first started.
    /// Like ``HotSignals/Signal/groupBy(_:bufferLimit:idle:maxKeys:whenFull:raising:on:)`` of signals,
    /// separately for each start.
    ///
    /// - Parameters:
    ///   - key: Called once per value. The code of the key is called with no lock held.
    ///   - bufferLimit: The maximum number of values that a group buffers. Traps unless positive.
    ///   - idle: How long a group stays open after its latest value. With zero, each value has a group of its own,
    ///     which completes after it. Traps if negative.
    ///   - maxKeys: How many groups are open at most. Traps unless positive.
    ///   - overflow: What happens if one more group or value comes.
    ///   - error: Sent in case of `.fail`, which traps without it.
    ///   - scheduler: Measures the time, and completes groups.
    @_alwaysEmitIntoClient
    public func groupBy<Key: Hashable & Sendable>(
        _ key: @escaping @Sendable (Value) -> Key, bufferLimit: Int, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some DelayScheduler
    ) -> SignalProducer<Group<Key, Value, Failure>, Failure> {
        requireGroups(bufferLimit, idle, maxKeys, overflow, hasError: error != nil)
        let limits = KeyLimits(maxKeys, overflow, raising: error, idle: idle, on: scheduler)
        return derive("groupBy:") {
            LimitedGroupsSink($0, limits, bufferLimit: bufferLimit, key: key)
        }
    }
}

@usableFromInline
func requireGroups(_ bufferLimit: Int, _ idle: Duration, _ maxKeys: Int, _ overflow: Overflow, hasError: Bool) {
    require(idle >= .zero, "groupBy(idle: \(idle)): the time must not be negative")
    for limit in [(label: "maxKeys", value: maxKeys), (label: "bufferLimit", value: bufferLimit)] {
        overflow.require(for: "groupBy", limit, hasError: hasError)
    }
}

extension InnerStream {
    /// A group. It is idle as soon as it has taken a value.
    @_alwaysEmitIntoClient
    var laneWork: LaneWork {
        LaneWork(self, isDone: { true }) { reason in
            switch reason {
            case .forgotten: self.end(.completed)
            case .stopped: self.end(.interrupted)
            }
        }
    }

    /// All work in the lanes of one operator is of one type.
    @_alwaysEmitIntoClient
    static func of(_ work: LaneWork) -> InnerStream { unsafeDowncast(work.object, to: InnerStream.self) }
}

@usableFromInline
@_fixed_layout
final class LimitedGroupsSink<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: WorkingSink {
    @usableFromInline let core: Core<Group<Key, Value, Failure>, Failure>
    @usableFromInline let lanes: KeyedLanes
    @usableFromInline let error: Failure?
    @usableFromInline let key: @Sendable (Value) -> Key
    @usableFromInline let sourceUsers: SourceUsers
    @usableFromInline let makeWork: @Sendable (Lane) -> LaneWork

    @_alwaysEmitIntoClient
    init(
        _ core: Core<Group<Key, Value, Failure>, Failure>, _ limits: KeyLimits<Failure>, bufferLimit: Int,
        key: @escaping @Sendable (Value) -> Key
    ) {
        // A group that has been idle completes before the next one with its key is sent.
        let users = SourceUsers()
        let lanes = limits.lanes(
            perform: { core.perform($0) }, done: {}, interrupt: { Self.end(.interrupted, core, $0, users) })
        self.core = core
        self.lanes = lanes
        self.key = key
        error = limits.error
        sourceUsers = users
        makeWork = { _ in
            InnerStream<Value, Failure>(
                "group", in: core, of: users, capacity: bufferLimit, whenFull: limits.overflow,
                overflowed: {
                    if let error = limits.error { Self.end(.error(error), core, lanes, users) }
                }
            ).laneWork
        }
    }

    @_alwaysEmitIntoClient
    var users: SourceUsers? { sourceUsers }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        guard !hasEnded else { return }
        let key = key(value)
        switch lanes.use(key, mayBeNew: !core.terminated.isRaised, make: makeWork) {
        case .lane(let lane, let work, let isNew):
            let group = InnerStream<Value, Failure>.of(work)
            if isNew { core.sendNext(Group(key: key, producer: group.makeProducer())) }
            group.send(value)
            lanes.finish(lane)
        case .refused: break
        case .full: if let error { end(.error(error)) }
        }
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) { Self.end(termination, core, lanes, sourceUsers) }

    @_alwaysEmitIntoClient
    static func end(
        _ termination: Termination<Failure>, _ core: Core<Group<Key, Value, Failure>, Failure>,
        _ lanes: KeyedLanes, _ users: SourceUsers
    ) {
        let groups = lanes.takeAll()
        users.endSource()
        core.sendEnd(termination)
        for group in groups { InnerStream<Value, Failure>.of(group).end(termination) }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { sourceUsers.areGone }

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { [lanes] in lanes.stop() } }
}
