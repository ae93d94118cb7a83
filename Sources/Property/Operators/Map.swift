extension PropertyProtocol {
    /// A property whose value is computed from this property's value.
    ///
    /// ```marbles
    /// source                   0--1--2--|
    /// source.map { $0 + 5 }    5--6--7--|
    /// ```
    ///
    /// - Parameter transform: Called once for the current value, and once per change. Its result should depend only on
    ///   the value.
    @inlinable
    public func map<NewValue: Sendable>(_ transform: @escaping @Sendable (Value) -> NewValue) -> Property<NewValue> {
        derive("map:", initial: transform) { input in
            { node in unsafeDowncast(node, to: ValueNode<NewValue>.self).compute { _ in transform(input.current) } }
        }
    }

    /// A property of the part of this property's value at a key path.
    @inlinable
    public func map<NewValue: Sendable>(_ keyPath: any KeyPath<Value, NewValue> & Sendable) -> Property<NewValue> {
        map { $0[keyPath: keyPath] }
    }
}
