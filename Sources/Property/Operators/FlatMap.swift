public import ColdProducers
public import HotSignals

extension PropertyProtocol {
    /// A property that follows the properties made of this one's values.
    ///
    /// - Parameters:
    ///   - strategy: What becomes of the former property when there is a new one: see ``/ColdProducers/FlattenStrategy``. With `.latest` it has the
    ///     value of the newest.
    ///   - transform: Makes a property of each value.
    ///
    /// What it derives from changes while it lives, so it is where a new graph begins: see <doc:Glitches>.
    @inlinable
    public func flatMap<Inner: PropertyProtocol>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Property<Inner.Value> {
        Property(
            StreamName("flatMap:", parent: (self as? any NodeHolding<Value>)?.node.core),
            following: producer.flatMap(strategy) { transform($0).producer }, otherwise: { transform(value).value })
    }
}

extension PropertyProtocol where Value: PropertyProtocol {
    /// A property that follows the properties that are this one's values.
    ///
    /// - Parameter strategy: As in ``flatMap(_:_:)``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Property<Value.Value> {
        Property(
            StreamName("flatten:", parent: (self as? any NodeHolding<Value>)?.node.core),
            following: producer.flatMap(strategy) { $0.producer }, otherwise: { value.value })
    }
}
