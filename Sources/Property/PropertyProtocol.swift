public import ColdProducers
public import HotSignals

/// A value that can be read at any time and whose changes can be observed.
///
/// ``MutableProperty``, ``Property`` and ``ValidatingProperty`` conform to it, and have operators such as `map`,
/// `combineLatest` and `zip` that derive properties.
public protocol PropertyProtocol<Value>: SignalProducerConvertible where Failure == Never {
    /// The type of the value.
    associatedtype Value

    /// The current value.
    var value: Value { get }

    /// Sends the current value, then each new value, even if it is equal. Completes when the property ends.
    var producer: SignalProducer<Value, Never> { get }

    /// Sends each new value, even if it is equal to the previous one. Completes when the property ends.
    var signal: Signal<Value, Never> { get }
}

/// A property of this library, from whose node other properties can be derived.
@usableFromInline
package protocol NodeHolding<Value>: PropertyProtocol {
    var node: ValueNode<Value> { get }
}

extension PropertyProtocol {
    /// A property with a node that others can be derived from. Retain it until they have been derived.
    ///
    /// For a type of the user's own, this is a new property that follows its producer.
    @inlinable
    var derivable: Property<Value> {
        if let property = self as? Property<Value> { return property }
        // A faster check than the next one.
        if let property = self as? MutableProperty<Value> { return Property(property.root, property.signal) }
        if let property = self as? any NodeHolding<Value> { return Property(property.node, property.signal) }
        return Property(StreamName("property"), following: producer, otherwise: { value })
    }

    /// Calls `body` with a node that others can be derived from during the call.
    @inlinable
    func withNode<Result>(_ body: (ValueNode<Value>) -> Result) -> Result {
        // Like `derivable`, but without creating an object.
        if let property = self as? MutableProperty<Value> { return body(property.root) }
        let property = derivable
        return withExtendedLifetime(property) { body(property.node) }
    }
}
