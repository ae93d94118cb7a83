public import ColdProducers
public import HotSignals

/// A read-only value that changes, usually derived from other properties or from a stream.
///
/// You can read `value` at any time. Properties derived from it, with
/// ``PropertyProtocol/map(_:)-((Self.Value)->NewValue)`` and other operators, are always consistent with it: see
/// <doc:Glitches>.
///
/// **Computation**: a derived property is computed when its value is read, or, while it is observed, at each change. A
/// property whose operator has a memory, such as `filter`, is computed at each change as long as it is referenced.
///
/// **Lifetime**: a derived property does not retain a ``MutableProperty`` or a ``ValidatingProperty`` that it is made
/// from. It ends when all of its sources have ended, and such a source ends when it is released. A property made with
/// ``init(initial:then:file:line:)-(Value,SignalProducerConvertible<Value,Never>,_,_)`` follows its stream as long as
/// it is retained or observed, or a property derived from it is. You can therefore release it and keep only the derived
/// one.
///
/// As a property wrapper it needs a stream or a property to follow, because it cannot be set:
///
/// ```swift
/// @Property(initial: 0, then: readings) var latest: Int
/// $latest.producer.startWithNext { print($0) }
/// ```
@propertyWrapper
@_fixed_layout
public final class Property<Value: Sendable>: NodeHolding {
    @usableFromInline package let node: ValueNode<Value>
    /// A retained reference to the signal, or 0 until the signal is first needed.
    @usableFromInline let handle: AtomicWord
    /// Keeps the node linked, if the node has a memory.
    @usableFromInline let tether: Tether?
    /// Retained for as long as this property exists. An object, because that is released without looking at its type.
    @usableFromInline let captured: Captured?

    /// - Parameter tether: The tether of the node, if the node has a memory.
    @_alwaysEmitIntoClient
    package init(_ node: ValueNode<Value>, _ tether: Tether? = nil) {
        self.node = node
        handle = AtomicWord(0)
        self.tether = tether
        captured = nil
    }

    /// - Parameter signal: The signal of the node, which has been created already.
    @_alwaysEmitIntoClient
    package init(_ node: ValueNode<Value>, _ signal: Signal<Value, Never>, capturing captured: (any Sendable)? = nil) {
        self.node = node
        handle = AtomicWord(UInt(bitPattern: Unmanaged.passRetained(signal).toOpaque()))
        tether = node.tether?.takeUnretainedValue()
        self.captured = captured.map { Captured($0) }
    }

    deinit { node.releaseSignal(in: handle) }

    /// Sends each new value, even if it is equal to the previous one. Completes when the property ends.
    @_alwaysEmitIntoClient
    public var signal: Signal<Value, Never> {
        if let signal = Signal<Value, Never>.held(by: handle) { return signal }
        return node.signal(in: handle)
    }

    /// Creates a property with a constant value.
    ///
    /// Its producer sends the value and completes. Its signal has already ended.
    @_alwaysEmitIntoClient
    public convenience init(value: Value) {
        let root = RootNode(value, name: StreamName("property"), hasEnded: true)
        self.init(root)
    }

    /// Creates a property that has an initial value and then follows a stream.
    ///
    /// A producer is started immediately. If you also start it yourself, its work runs twice: observe the property
    /// instead.
    ///
    /// The property ends when the stream completes or is interrupted, and keeps its last value. The stream is disposed
    /// of when neither the property, nor a property derived from it, nor an observer of one of them is left.
    @_alwaysEmitIntoClient
    public convenience init(
        initial: Value, then stream: some SignalProducerConvertible<Value, Never>, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(
            StreamName("property", madeAt: CodeLocation(file, line)), following: stream.producer.prefix(value: initial),
            otherwise: { initial })
    }

    /// Accepts leading-dot syntax: `Property(initial: 0, then: .empty)`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public convenience init(
        initial: Value, then stream: SignalProducer<Value, Never>, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(initial: initial, then: stream, file: file, line: line)
    }

    /// Creates a property of an optional type that follows a stream of non-optional values: see
    /// ``init(initial:then:file:line:)-(Value,SignalProducerConvertible<Value,Never>,_,_)``.
    @_alwaysEmitIntoClient
    public convenience init<Wrapped: Sendable>(
        initial: Value, then stream: some SignalProducerConvertible<Wrapped, Never>, file: StaticString = #fileID,
        line: UInt = #line
    ) where Value == Wrapped? {
        self.init(initial: initial, then: stream.producer.map { Optional($0) }, file: file, line: line)
    }

    /// The current value, for the property wrapper.
    @_alwaysEmitIntoClient
    public var wrappedValue: Value { value }

    /// The property itself, for the property wrapper.
    @_alwaysEmitIntoClient
    public var projectedValue: Property { self }

    /// Creates a read-only view of a property. It ends with that property, and does not retain a ``MutableProperty``.
    @_alwaysEmitIntoClient
    public convenience init(_ property: some PropertyProtocol<Value>) {
        let view = property.derivable
        self.init(view.node, view.signal)
    }

    /// Creates a read-only view of a property, and retains that property.
    @_alwaysEmitIntoClient
    public convenience init(capturing property: some PropertyProtocol<Value>) {
        let view = property.derivable
        self.init(view.node, view.signal, capturing: property)
    }

    /// The current value. Computed on the calling thread if the property is not observed and a source has changed.
    @_alwaysEmitIntoClient
    public var value: Value { node.latest }

    /// Sends the current value, then each new value, even if it is equal. Completes when the property ends.
    @_alwaysEmitIntoClient
    public var producer: SignalProducer<Value, Never> { node.producer(holding: signal) }
}

/// What a property retains besides its node.
@usableFromInline
@_fixed_layout
final class Captured: Sendable {
    private let value: any Sendable

    @usableFromInline
    init(_ value: any Sendable) { self.value = value }
}
