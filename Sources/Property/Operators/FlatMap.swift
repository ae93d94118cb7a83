public import ColdProducers
public import HotSignals

extension PropertyProtocol {
    /// A property that follows the inner properties created from this property's values.
    ///
    /// - Parameters:
    ///   - strategy: What happens to the previous inner property when a new one is created: see
    ///     ``/ColdProducers/FlattenStrategy``. With `.latest`, the result has the value of the newest one.
    ///   - transform: Creates an inner property from each value.
    ///
    /// The properties it depends on change during its lifetime, so the result is a root, like a ``MutableProperty``:
    /// in a diamond with it on one side, the other side can change first. See <doc:Glitches>. It observes this property
    /// and the inner ones as long as it is referenced. `transform` is called once per change, and can set properties.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: PropertyProtocol>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Property<Inner.Value> {
        Property(
            StreamName("flatMap:", parent: (self as? any NodeHolding<Value>)?.node.namedCore()),
            following: promptProducer.flatMap(strategy) { transform($0).promptProducer },
            otherwise: { transform(value).value })
    }
}

extension PropertyProtocol where Value: PropertyProtocol {
    /// A property that follows the inner properties that are this property's values.
    ///
    /// - Parameter strategy: See ``flatMap(_:_:)``.
    @_alwaysEmitIntoClient
    public func flatten(_ strategy: FlattenStrategy) -> Property<Value.Value> {
        Property(
            StreamName("flatten:", parent: (self as? any NodeHolding<Value>)?.node.namedCore()),
            following: promptProducer.flatMap(strategy) { $0.promptProducer }, otherwise: { value.value })
    }
}
