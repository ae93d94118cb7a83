extension PropertyProtocol {
    /// A property of the values of this property and another.
    ///
    /// The two values are always consistent: if both properties derive from a third, a new value of one is never
    /// combined with an old value of the other.
    ///
    /// While the result is observed, threads that set the two properties wait for each other while the change is
    /// computed. Otherwise the two share nothing, and nothing remains when the result is released: see <doc:Glitches>.
    @_alwaysEmitIntoClient
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
    /// property, the result changes once. The properties are connected only while the result is observed: see
    /// ``PropertyProtocol/combineLatest(with:)``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First: PropertyProtocol, Second: PropertyProtocol>(
        _ first: First, _ second: Second
    ) -> Property<(First.Value, Second.Value)> {
        withExtendedLifetime((first.origin, second.origin)) { origins in
            let (first, second) = (origins.0.node, origins.1.node)
            return Property<(First.Value, Second.Value)>(
                .pulled(.joining("+combineLatest:"), from: [first, second]) { node, pull in
                    unsafeDowncast(node, to: ValueNode<(First.Value, Second.Value)>.self)
                        .take((first.given(to: node, pull), second.given(to: node, pull)), pull)
                })
        }
    }

    /// A property of the values of all given properties. Without properties, it is constant.
    @_alwaysEmitIntoClient
    public static func combineLatest<each Input: PropertyProtocol>(
        _ inputs: repeat each Input
    ) -> Property<(repeat (each Input).Value)> {
        let properties = (repeat (each inputs).origin)
        defer { withExtendedLifetime(properties) {} }
        let nodes = (repeat (each properties).node)
        var list: [PropertyNode] = []
        repeat list.append(each nodes)
        if list.isEmpty { return Property<(repeat (each Input).Value)>(value: (repeat (each nodes).latest)) }
        return Property<(repeat (each Input).Value)>(
            .pulled(.joining("+combineLatest:"), from: list) { node, pull in
                unsafeDowncast(node, to: ValueNode<(repeat (each Input).Value)>.self)
                    .take((repeat (each nodes).given(to: node, pull)), pull)
            })
    }
}

extension Property {
    /// A property of the values of the given properties, in order. Without properties, it is constant.
    ///
    /// - Parameters:
    ///   - properties: The properties to combine.
    ///   - emptySentinel: The value if there are no properties.
    @_alwaysEmitIntoClient
    public static func combineLatest<Input: PropertyProtocol<Value>>(
        _ properties: some Collection<Input>, emptySentinel: [Value] = []
    ) -> Property<[Value]> {
        let properties = properties.map { $0.origin }
        defer { withExtendedLifetime(properties) {} }
        let nodes = properties.map { $0.node }
        if nodes.isEmpty { return Property<[Value]>(value: emptySentinel) }
        return Property<[Value]>(
            .pulled(.joining("+combineLatest:"), from: nodes) { node, pull in
                unsafeDowncast(node, to: ValueNode<[Value]>.self).take(nodes.map { $0.given(to: node, pull) }, pull)
            })
    }
}
