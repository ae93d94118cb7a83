/// The values that share a key: see ``SignalProducer/groupBy(_:)``.
@frozen
public struct Group<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: SignalProducerConvertible {
    /// The key.
    public let key: Key
    /// Sends the values. The first start also receives the values sent before it. Later starts receive only new values.
    public let producer: SignalProducer<Value, Failure>

    @_alwaysEmitIntoClient
    package init(key: Key, producer: SignalProducer<Value, Failure>) {
        self.key = key
        self.producer = producer
    }
}

extension Signal {
    /// Sends one group per key, and the values of each key to its group.
    ///
    /// Stores all groups until the source ends, and a group buffers its values until it is first started: neither has a
    /// bound. For keys that anyone can make up, such as those of clients, use
    /// `groupBy(_:bufferLimit:idle:maxKeys:whenFull:on:)` of ReactiveServer.
    ///
    /// ```marbles
    /// source                                                                    --1--2--3--4--|
    /// source.groupBy { $0 % 2 }.map { $0.key }                                  --1--0--------|
    /// source.groupBy { $0 % 2 }.flatMap(.merge) { $0.producer.reduce(0, +) }    --------------46|
    /// ```
    ///
    /// A group is sent before its first value. When the source ends, the result ends, and then each group, in the same
    /// way.
    ///
    /// Groups outlive the result: `groupBy { … }.take(first: 2)` sends two groups, each with all its values. When the
    /// result is no longer observed, values with new keys are dropped, and the source is released as soon as the
    /// producer of every group has been released and nothing observes it. The values of such a group are dropped
    /// earlier, too: it is not sent again.
    ///
    /// - Parameter key: Called once per value.
    @_alwaysEmitIntoClient
    public func groupBy<Key: Hashable & Sendable>(
        _ key: @escaping @Sendable (Value) -> Key
    ) -> Signal<Group<Key, Value, Failure>, Failure> {
        derive("groupBy:") { GroupBySink($0, key: key) }
    }
}

extension SignalProducer {
    /// Sends one group per key, and the values of each key to its group.
    ///
    /// Stores all groups until the source ends, and a group buffers its values until it is first started: neither has a
    /// bound. Like ``HotSignals/Signal/groupBy(_:)`` of signals, separately for each start.
    ///
    /// - Parameter key: Called once per value.
    @_alwaysEmitIntoClient
    public func groupBy<Key: Hashable & Sendable>(
        _ key: @escaping @Sendable (Value) -> Key
    ) -> SignalProducer<Group<Key, Value, Failure>, Failure> {
        derive("groupBy:") { GroupBySink($0, key: key) }
    }
}

@frozen @usableFromInline
struct GroupBySink<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: WorkingSink {
    @frozen @usableFromInline
    struct Groups {
        @usableFromInline var byKey: [Key: InnerStream<Value, Failure>] = [:]
        /// In the order in which they were sent.
        @usableFromInline var all: [InnerStream<Value, Failure>] = []

        @_alwaysEmitIntoClient
        init() {}
    }

    @usableFromInline let core: Core<Group<Key, Value, Failure>, Failure>
    @usableFromInline let key: @Sendable (Value) -> Key
    @usableFromInline let sourceUsers = SourceUsers()
    @usableFromInline let groups = SinkState(Groups())

    @_alwaysEmitIntoClient
    init(
        _ core: Core<Group<Key, Value, Failure>, Failure>, key: @escaping @Sendable (Value) -> Key
    ) {
        self.core = core
        self.key = key
    }

    @_alwaysEmitIntoClient
    var users: SourceUsers? { sourceUsers }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        let key = self.key(value)
        if let group = groups.value.byKey[key] { return group.send(value) }
        guard !core.terminated.isRaised else { return }
        let group = InnerStream<Value, Failure>("group", in: core, of: sourceUsers, capacity: .max)
        groups.value.byKey[key] = group
        groups.value.all.append(group)
        core.sendNext(Group(key: key, producer: group.makeProducer()))
        group.send(value)
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        let groups = self.groups.value.all
        self.groups.value = Groups()
        sourceUsers.endSource()
        core.sendEnd(termination)
        for group in groups { group.end(termination) }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { sourceUsers.areGone }

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { {} }
}
