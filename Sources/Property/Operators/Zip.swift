public import HotSignals

extension PropertyProtocol {
    /// A property of pairs: the values of this one and another, then the first changes of each, then the second ones, and so on.
    ///
    /// What comes of one while the other does not change is queued without a bound.
    @inlinable
    public func zip<Other: PropertyProtocol>(with other: Other) -> Property<(Value, Other.Value)> {
        Property<Never>.zip(self, other)
    }
}

extension Property where Value == Never {
    /// A property of the values of all these, then of the first change of each, then of the second ones, and so on.
    ///
    ///     a            1--2-----3--|
    ///     b            x-----y-----------z--|
    ///     zip(a, b)    (1,x)-(2,y)-------(3,z)--|
    ///
    /// It completes when all have. What comes of one while another does not change is queued without a bound.
    @inlinable
    public static func zip<each Input: PropertyProtocol>(
        _ inputs: repeat each Input
    ) -> Property<(repeat (each Input).Value)> {
        let properties = (repeat (each inputs).derivable)
        defer { withExtendedLifetime(properties) {} }
        let nodes = (repeat (each properties).node)
        let queues = (repeat ChangeQueue(each nodes))
        var list: [PropertyNode] = []
        repeat list.append(each nodes)
        let (node, signal) = ValueNode<(repeat (each Input).Value)>.derived(
            StreamName("+zip:", parent: Junction(list.map(\.signalCore))), from: list,
            snapshot: { (repeat (each nodes).value) }, initial: { $0 },
            recompute: { _ in
                var empty = 0
                repeat (each queues).collect(&empty)
                return empty == 0 ? (repeat (each queues).next()) : nil
            })
        return Property<(repeat (each Input).Value)>(node, signal)
    }
}

extension Property {
    /// A property of the values of all these, in their order, then of the first change of each, and so on. Of none, it is constant
    /// and empty.
    @inlinable
    public static func zip<Input: PropertyProtocol<Value>>(_ properties: some Collection<Input>) -> Property<[Value]> {
        let properties = properties.map(\.derivable)
        defer { withExtendedLifetime(properties) {} }
        let nodes = properties.map(\.node)
        if nodes.isEmpty { return Property<[Value]>(value: []) }
        let queues = nodes.map { ChangeQueue($0) }
        let (node, signal) = ValueNode<[Value]>.derived(
            StreamName("+zip:", parent: Junction(nodes.map(\.core))), from: nodes,
            snapshot: { nodes.map(\.value) }, initial: { $0 },
            recompute: { _ in
                var empty = 0
                for queue in queues { queue.collect(&empty) }
                return empty == 0 ? queues.map { $0.next() } : nil
            })
        return Property<[Value]>(node, signal)
    }
}

/// The changes of a node that wait for those of others. For turns.
@usableFromInline
@_fixed_layout
final class ChangeQueue<Value: Sendable>: @unchecked Sendable {
    // Sendable: used by one turn at a time.
    @usableFromInline let node: ValueNode<Value>
    @exclusivity(unchecked) @usableFromInline var changes = Queue<Value>()

    @inlinable
    init(_ node: ValueNode<Value>) { self.node = node }

    /// Queues the change of this turn, if there is one. Counts itself as empty if none waits.
    @inlinable
    func collect(_ empty: inout Int) {
        if node.hasNext { changes.append(node.current) }
        if changes.count == 0 { empty += 1 }
    }

    /// Takes the first change. There is one.
    @inlinable
    func next() -> Value { changes.popFirst().unsafelyUnwrapped }
}
