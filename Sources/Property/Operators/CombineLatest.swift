public import HotSignals

extension PropertyProtocol {
    /// A property of the values of this property and another.
    ///
    /// The two values are always consistent: if both properties derive from a third, a new value of one is never
    /// combined with an old value of the other.
    @inlinable
    public func combineLatest<Other: PropertyProtocol>(with other: Other) -> Property<(Value, Other.Value)> {
        Property<Never>.combineLatest(self, other)
    }
}

extension Property where Value == Never {
    /// A property of the values of all given properties.
    ///
    /// ```marbles
    /// a                               1-----2-----------3-----|
    /// b                               x-----------y-----|
    /// Property.combineLatest(a, b)    (1,x)-(2,x)-(2,y)-(3,y)-|
    /// ```
    ///
    /// Completes when all of them have completed. If several change together, because they derive from the same
    /// property, the result changes once.
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

    /// A property of the values of all given properties.
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
    /// A property of the values of the given properties, in order. Without properties, it is constant and empty.
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
