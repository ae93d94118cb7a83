import HotSignals

extension PropertyProtocol {
    /// A property that takes on each value of this property only the first time it occurs.
    ///
    /// Has a memory: it is computed at each change, as long as it is referenced.
    ///
    /// - Parameter identity: Returns what distinguishes the values. All identities are stored, except one that is not
    ///   equal to itself, whose value is always taken on.
    @_alwaysEmitIntoClient
    public func uniqueValues<Identity: Hashable & Sendable>(
        _ identity: @escaping @Sendable (Value) -> Identity
    ) -> Property<Value> {
        uniqueValues("uniqueValues:", identity)
    }

    @_alwaysEmitIntoClient
    func uniqueValues<Identity: Hashable & Sendable>(
        _ name: StaticString, _ identity: @escaping @Sendable (Value) -> Identity
    ) -> Property<Value> {
        // Accessed by one propagation at a time, and before any propagation for the first value.
        let seen = SeenValues<Identity>()
        return keep(
            name,
            initial: { value in
                seen.identities = [identity(value)]
                return value
            }, memory: seen
        ) { value, _ in seen.add(identity(value)) ? value : nil }
    }
}

@usableFromInline
@_fixed_layout
final class SeenValues<Identity: Hashable & Sendable>: NodeMemory, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    @exclusivity(unchecked) @usableFromInline var identities: Set<Identity> = []
    /// The identity that the last computation has added.
    @exclusivity(unchecked) @usableFromInline var added: Identity?

    @_alwaysEmitIntoClient
    override init() { super.init() }

    /// Returns whether the identity is new.
    @_alwaysEmitIntoClient
    func add(_ identity: Identity) -> Bool {
        // One that is not equal to itself could neither be found nor removed.
        let canBeFound = identity == identity
        let isStored = canBeFound && identities.insert(identity).inserted
        added = isStored ? identity : nil
        if !isStored, !_isPOD(Identity.self) { PureSection.release(identity) }
        return isStored || !canBeFound
    }

    @usableFromInline
    override func discard() {
        guard let added = added.take() else { return }
        identities.remove(added)
        PureSection.release(added)
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
    /// All values are stored, except one that is not equal to itself, such as a NaN, which is always taken on. It is
    /// computed at each change, as long as it is referenced.
    @_alwaysEmitIntoClient
    public func uniqueValues() -> Property<Value> { uniqueValues("uniqueValues") { $0 } }
}
