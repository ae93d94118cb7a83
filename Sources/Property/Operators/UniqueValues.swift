public import HotSignals

extension PropertyProtocol {
    /// A property that takes on each value of this property only the first time it occurs.
    ///
    /// Has a memory: it is computed at each change, as long as it is referenced.
    ///
    /// - Parameter identity: Returns what distinguishes the values. All identities are stored.
    @inlinable
    public func uniqueValues<Identity: Hashable & Sendable>(
        _ identity: @escaping @Sendable (Value) -> Identity
    ) -> Property<Value> {
        uniqueValues("uniqueValues:", identity)
    }

    @inlinable
    func uniqueValues<Identity: Hashable & Sendable>(
        _ name: StaticString, _ identity: @escaping @Sendable (Value) -> Identity
    ) -> Property<Value> {
        // A turn at a time, and the first value before any.
        let seen = SinkState(Set<Identity>())
        return keep(
            name,
            initial: { value in
                seen.value = [identity(value)]
                return value
            }
        ) { value, _ in seen.value.insert(identity(value)).inserted ? value : nil }
    }
}

extension PropertyProtocol where Value: Hashable {
    /// A property that takes on each value of this property only the first time it occurs.
    ///
    /// ```marbles
    /// source                   1--2--1--3--|
    /// source.uniqueValues()    1--2-----3--|
    /// ```
    ///
    /// All values are stored. It is computed at each change, as long as it is referenced.
    @inlinable
    public func uniqueValues() -> Property<Value> { uniqueValues("uniqueValues") { $0 } }
}
