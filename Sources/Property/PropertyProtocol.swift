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

/// A property of this library, whose node others can be derived from.
@usableFromInline
package protocol NodeHolding<Value>: PropertyProtocol {
    var node: ValueNode<Value> { get }
}

extension PropertyProtocol {
    /// This property with a node that others can be derived from. It is to be held until that has been done.
    ///
    /// For a property that a user has written, that is a new one which follows its producer.
    @inlinable
    var derivable: Property<Value> {
        if let property = self as? Property<Value> { return property }
        // Quicker to find out than the next.
        if let property = self as? MutableProperty<Value> { return Property(property.root, property.signal) }
        if let property = self as? any NodeHolding<Value> { return Property(property.node, property.signal) }
        return Property(StreamName("property"), following: producer, otherwise: { value })
    }

    /// Calls `body` with a node that others can be derived from meanwhile.
    @inlinable
    func withNode<Result>(_ body: (ValueNode<Value>) -> Result) -> Result {
        // As `derivable`, but for the object.
        if let property = self as? MutableProperty<Value> { return body(property.root) }
        let property = derivable
        return withExtendedLifetime(property) { body(property.node) }
    }
}
