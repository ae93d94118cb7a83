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

/// A property of your own that forwards to a property of this library.
///
/// What is derived from it is derived from that one. So values that are combined again are consistent: see
/// <doc:Glitches>. A type that only conforms to ``PropertyProtocol`` is followed through its producer instead,
/// separately by each property that is derived from it.
///
/// ```swift
/// final class Setting: PropertyForwarding {
///     private let stored = MutableProperty(1)
///     let forwarded: Property<Int>
///
///     init() { forwarded = Property(stored) }
/// }
/// print(Setting().map { $0 + 1 }.value)  // prints 2
/// ```
public protocol PropertyForwarding<Value>: PropertyProtocol, BindingSource {
    /// The type of the value. Declared again so that the compiler infers it from ``forwarded``.
    associatedtype Value

    /// The property that has the value. Always the same one.
    var forwarded: Property<Value> { get }
}

extension PropertyForwarding {
    /// The current value.
    @_alwaysEmitIntoClient
    public var value: Value { forwarded.value }

    /// Sends the current value, then each new value, even if it is equal. Completes when the property ends.
    @_alwaysEmitIntoClient
    public var producer: SignalProducer<Value, Never> { forwarded.producer }

    /// Sends each new value, even if it is equal to the previous one. Completes when the property ends.
    @_alwaysEmitIntoClient
    public var signal: Signal<Value, Never> { forwarded.signal }
}

/// A property of this library, from whose node other properties can be derived.
@usableFromInline
package protocol NodeHolding<Value>: PropertyProtocol {
    var node: ValueNode<Value> { get }
}

extension PropertyProtocol {
    /// A property with a node that others can be derived from. Retain it until they have been derived.
    ///
    /// For a type of the user's own, this is the property that it forwards to, or else a new one that follows its
    /// producer.
    @_alwaysEmitIntoClient
    var derivable: Property<Value> {
        if let property = self as? Property<Value> { return property }
        // A faster check than the next one.
        if let property = self as? MutableProperty<Value> { return Property(property.root, property.signal) }
        if let property = self as? any NodeHolding<Value> { return Property(property.node, property.signal) }
        if let property = self as? any PropertyForwarding<Value> { return property.forwarded }
        return Property(StreamName("property"), following: producer, otherwise: { value })
    }

    /// The node of ``derivable``, and what it needs until others have been derived from it. Usually no object is made.
    @_alwaysEmitIntoClient
    var origin: (node: ValueNode<Value>, owner: AnyObject) {
        if let property = self as? MutableProperty<Value> { return (property.root, property) }
        let property = derivable
        return (property.node, property)
    }

    /// Calls `body` with a node that others can be derived from during the call.
    @_alwaysEmitIntoClient
    func withNode<Result>(_ body: (ValueNode<Value>) -> Result) -> Result {
        if let property = self as? MutableProperty<Value> { return body(property.root) }
        let property = derivable
        return withExtendedLifetime(property) { body(property.node) }
    }
}
