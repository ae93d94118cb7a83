public import HotSignals

extension PropertyProtocol {
    /// A property of the values of this one and another.
    ///
    /// It has both at any time: where both derive from a third, it never shows a new value of one beside an old value of the other.
    @inlinable
    public func combineLatest<Other: PropertyProtocol>(with other: Other) -> Property<(Value, Other.Value)> {
        Property<Never>.combineLatest(self, other)
    }
}

extension Property where Value == Never {
    /// A property of the values of all these.
    ///
    ///     a                      1--2-----3--|
    ///     b                      x-----y-----|
    ///     combineLatest(a, b)    (1,x)-(2,x)-(2,y)-(3,y)--|
    ///
    /// It completes when all have. A change of several at once, because they derive from the same, is one change of it.
    @inlinable
    public static func combineLatest<First: PropertyProtocol, Second: PropertyProtocol>(
        _ first: First, _ second: Second
    ) -> Property<(First.Value, Second.Value)> {
        withExtendedLifetime((first.derivable, second.derivable)) { properties in
            let (first, second) = (properties.0.node, properties.1.node)
            let (node, signal) = ValueNode<(First.Value, Second.Value)>.derived(
                StreamName("+combineLatest:", parent: Junction([first.core, second.core])), from: [first, second],
                snapshot: { (first.value, second.value) }, initial: { $0 },
                recompute: { _ in (first.current, second.current) })
            return Property<(First.Value, Second.Value)>(node, signal)
        }
    }

    /// A property of the values of all these.
    @inlinable
    public static func combineLatest<each Input: PropertyProtocol>(
        _ inputs: repeat each Input
    ) -> Property<(repeat (each Input).Value)> {
        let properties = (repeat (each inputs).derivable)
        defer { withExtendedLifetime(properties) {} }
        let nodes = (repeat (each properties).node)
        var list: [PropertyNode] = []
        repeat list.append(each nodes)
        let (node, signal) = ValueNode<(repeat (each Input).Value)>.derived(
            StreamName("+combineLatest:", parent: Junction(list.map(\.signalCore))), from: list,
            snapshot: { (repeat (each nodes).value) }, initial: { $0 },
            recompute: { _ in (repeat (each nodes).current) })
        return Property<(repeat (each Input).Value)>(node, signal)
    }
}

extension Property {
    /// A property of the values of all these, in their order. Of none, it has no value to change: it is constant and empty.
    @inlinable
    public static func combineLatest<Input: PropertyProtocol<Value>>(
        _ properties: some Collection<Input>
    ) -> Property<[Value]> {
        let properties = properties.map(\.derivable)
        defer { withExtendedLifetime(properties) {} }
        let nodes = properties.map(\.node)
        if nodes.isEmpty { return Property<[Value]>(value: []) }
        let (node, signal) = ValueNode<[Value]>.derived(
            StreamName("+combineLatest:", parent: Junction(nodes.map(\.core))), from: nodes,
            snapshot: { nodes.map(\.value) }, initial: { $0 }, recompute: { _ in nodes.map(\.current) })
        return Property<[Value]>(node, signal)
    }
}
