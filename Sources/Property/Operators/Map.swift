extension PropertyProtocol {
    /// A property whose value is computed from this property's value.
    ///
    /// ```marbles
    /// source                   0--1--2--|
    /// source.map { $0 + 5 }    5--6--7--|
    /// ```
    ///
    /// - Parameter transform: Called when the value is read, or, while the property is observed, at each change: at
    ///   most once per change, unless several threads read at the same time. Its result should depend only on the
    ///   value. It must not set a property: see <doc:Glitches>.
    @_alwaysEmitIntoClient
    public func map<NewValue: Sendable>(_ transform: @escaping @Sendable (Value) -> NewValue) -> Property<NewValue> {
        pull("map:", transform)
    }

    /// A property of the part of this property's value at a key path.
    @_alwaysEmitIntoClient
    public func map<NewValue: Sendable>(_ keyPath: any KeyPath<Value, NewValue> & Sendable) -> Property<NewValue> {
        map { $0[keyPath: keyPath] }
    }
}
