extension PropertyProtocol {
    /// A property whose value is made of this one's.
    ///
    ///     source             0--1--2--|
    ///     map { $0 * 10 }    0--10-20-|
    ///
    /// - Parameter transform: Called once for the present value, and once a change. It should depend on nothing but the value.
    @inlinable
    public func map<NewValue: Sendable>(_ transform: @escaping @Sendable (Value) -> NewValue) -> Property<NewValue> {
        derive("map:", initial: transform) { input in
            { node in unsafeDowncast(node, to: ValueNode<NewValue>.self).compute { _ in transform(input.current) } }
        }
    }

    /// A property whose value is a part of this one's.
    @inlinable
    public func map<NewValue: Sendable>(_ keyPath: any KeyPath<Value, NewValue> & Sendable) -> Property<NewValue> {
        map { $0[keyPath: keyPath] }
    }
}
