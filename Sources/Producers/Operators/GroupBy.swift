/// The values that share a key: see ``SignalProducer/groupBy(_:)``.
public struct Group<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: SignalProducerConvertible {
    /// The key.
    public let key: Key
    /// Sends the values. The first start also receives the values sent before it. Later starts receive only new values.
    public let producer: SignalProducer<Value, Failure>
}

extension Signal {
    /// Sends one group per key, and the values of each key to its group.
    ///
    /// Stores all groups until the source ends, and a group buffers its values until it is first started: neither has a
    /// bound. For keys that anyone can make up, such as those of clients, use
    /// ``groupBy(_:bufferLimit:idle:maxKeys:whenFull:raising:on:file:line:)``.
    ///
    /// ```marbles
    /// source                                                                    --1--2--3--4--|
    /// source.groupBy { $0 % 2 }.map { $0.key }                                  --1--0--------|
    /// source.groupBy { $0 % 2 }.flatMap(.merge) { $0.producer.reduce(0, +) }    --------------46|
    /// ```
    ///
    /// A group is sent before its first value. When the source ends, the result ends, and then each group, in the same
    /// way. When the result is no longer observed, the groups are interrupted.
    ///
    /// - Parameter key: Called once per value.
    public func groupBy<Key: Hashable & Sendable>(
        _ key: @escaping @Sendable (Value) -> Key
    ) -> Signal<Group<Key, Value, Failure>, Failure> {
        derive("groupBy:") { downstream, lifetime in
            let sink = GroupBySink(key: key, contention: core.gateContention, downstream: downstream)
            lifetime.observeEnded { sink.endGroups(.interrupted) }
            return sink
        }
    }
}

extension SignalProducer {
    /// Sends one group per key, and the values of each key to its group.
    ///
    /// Stores all groups until the source ends, and a group buffers its values until it is first started: neither has a
    /// bound. Like ``HotSignals/Signal/groupBy(_:)`` of signals, separately for each start.
    ///
    /// - Parameter key: Called once per value.
    public func groupBy<Key: Hashable & Sendable>(
        _ key: @escaping @Sendable (Value) -> Key
    ) -> SignalProducer<Group<Key, Value, Failure>, Failure> {
        SignalProducer<Group<Key, Value, Failure>, Failure>(derivedName("groupBy:"), contention: contention) {
            subscription, downstream in
            let sink = GroupBySink(key: key, contention: contention, downstream: downstream)
            subscription.addCleanup { sink.endGroups(.interrupted) }
            beginWork(of: subscription, into: ProducerSink(erasing: sink, subscription))
        }
    }
}

private struct GroupBySink<Key: Hashable & Sendable, Value: Sendable, Failure: Error, Downstream: Sink>: OperatorSink
where Downstream.Value == Group<Key, Value, Failure>, Downstream.Failure == Failure {
    private let key: @Sendable (Value) -> Key
    /// The groups by key. Only values, which are serial, look up a group.
    private let byKey = SinkState<[Key: ReplayHub<Value, Failure>]>([:])
    /// The groups that have not ended. Locked, because the terminal event may come from another thread.
    private let groups = Locked<[ReplayHub<Value, Failure>]>([])
    /// What a sender does while a group is busy with a start: the same as at the source.
    private let contention: Contention
    let downstream: Downstream

    init(key: @escaping @Sendable (Value) -> Key, contention: Contention, downstream: Downstream) {
        self.key = key
        self.contention = contention
        self.downstream = downstream
    }

    func next(_ value: Value) {
        let key = self.key(value)
        if let group = byKey.value[key] { return group.send(.next(value)) }
        let name = StreamName("group")
        let group = ReplayHub<Value, Failure>(name, capacity: .max, contention: contention, forgetsAtFirstJoin: true)
        byKey.value[key] = group
        groups.withLock { $0.append(group) }
        downstream.next(
            Group(key: key, producer: SignalProducer(name, contention: contention) { _, sink in group.join(sink) }))
        group.send(.next(value))
    }

    func end(_ termination: Termination<Failure>) {
        let groups = takeGroups()
        downstream.end(termination)
        for group in groups { group.send(termination.event()) }
    }

    func endGroups(_ termination: Termination<Failure>) {
        for group in takeGroups() { group.send(termination.event()) }
    }

    private func takeGroups() -> [ReplayHub<Value, Failure>] {
        groups.withLock { groups in
            defer { groups = [] }
            return groups
        }
    }
}
