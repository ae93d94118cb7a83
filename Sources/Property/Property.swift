public import ColdProducers
public import HotSignals

/// A value that changes, for those who read it and do not set it.
///
/// Its `value` is there at any time. Properties that are derived from it, by ``PropertyProtocol/map(_:)-((Self.Value)->NewValue)`` and the like, are as
/// up to date as it is: see <doc:Glitches>.
///
/// **Life**: a derived property does not hold those that it is derived from, and ends with them. It lets go of them, too, when neither it
/// nor an observer of it is left.
///
/// As a wrapper it needs a stream or a property to follow, as it cannot be set:
///
///     @Property(initial: 0, then: readings) var latest: Int
///     $latest.producer.startWithNext { print($0) }
@propertyWrapper
@_fixed_layout
public final class Property<Value: Sendable>: NodeHolding {
    @usableFromInline package let node: ValueNode<Value>
    /// Sends each change, and completes when the property ends.
    public let signal: Signal<Value, Never>
    /// What is to live as long as this.
    @usableFromInline let captured: (any Sendable)?

    @inlinable
    package init(_ node: ValueNode<Value>, _ signal: Signal<Value, Never>, capturing captured: (any Sendable)? = nil) {
        self.node = node
        self.signal = signal
        self.captured = captured
    }

    /// A property whose value does not change.
    ///
    /// Its producer sends the value and completes; its signal has ended.
    @inlinable
    public convenience init(value: Value) {
        let root = RootNode(value, name: StreamName("property"), hasEnded: true)
        self.init(root, Signal(core: root.core))
    }

    /// A property that has a value, and then those of a stream, which begins now.
    ///
    /// It ends when the stream does, interrupted or not, and keeps its last value. The stream is disposed of when neither the property
    /// nor an observer of it is left.
    @inlinable
    public convenience init(initial: Value, then stream: some SignalProducerConvertible<Value, Never>) {
        self.init(StreamName("property"), following: stream.producer.prefix(value: initial), otherwise: { initial })
    }

    /// A form in which a leading dot is enough: `Property(initial: 0, then: .empty)`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public convenience init(initial: Value, then stream: SignalProducer<Value, Never>) {
        self.init(initial: initial, then: stream)
    }

    /// A property that has a value, and then those of a stream of values that are never `nil`: see
    /// ``init(initial:then:)-(Value,SignalProducerConvertible<Value,Never>)``.
    @inlinable
    public convenience init<Wrapped: Sendable>(
        initial: Value, then stream: some SignalProducerConvertible<Wrapped, Never>
    ) where Value == Wrapped? {
        self.init(initial: initial, then: stream.producer.map { Optional($0) })
    }

    /// The value at this moment, for the wrapper.
    @inlinable
    public var wrappedValue: Value { value }

    /// The property itself, for the wrapper.
    @inlinable
    public var projectedValue: Property { self }

    /// A read-only view of a property, which does not hold it: it ends when that does.
    @inlinable
    public convenience init(_ property: some PropertyProtocol<Value>) {
        let view = property.derivable
        self.init(view.node, view.signal)
    }

    /// A read-only view of a property, which holds it.
    @inlinable
    public convenience init(capturing property: some PropertyProtocol<Value>) {
        let view = property.derivable
        self.init(view.node, view.signal, capturing: property)
    }

    /// The value at this moment.
    @inlinable
    public var value: Value {
        node.isRoot ? unsafeDowncast(node, to: RootNode<Value>.self).latest : node.visibleValue
    }

    /// Sends the value when it is started, and then each change; completes when the property ends.
    @inlinable
    public var producer: SignalProducer<Value, Never> { node.producer(holding: signal) }
}

extension ValueNode {
    @inlinable
    package func producer(holding signal: Signal<Value, Never>) -> SignalProducer<Value, Never> {
        SignalProducer(StreamName("", parent: core), contention: core.gateContention) { run, sink in
            self.start(run, sink, holding: signal)
        }
    }
}
