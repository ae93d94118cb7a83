public import ColdProducers
public import HotSignals

/// A property that accepts only the values that its validator allows.
///
/// ```swift
/// let port = ValidatingProperty<Int, PortError>(80) { (1...65_535).contains($0) ? .valid : .invalid(.outOfRange($0)) }
/// port.value = 8_080    // port.value is 8_080
/// port.value = 123_456  // port.value is 8_080, and port.result.value is .invalid(123_456, .outOfRange(123_456))
/// ```
///
/// ``result`` holds the outcome of the last proposed value. It sends its event before the value does, and both become
/// visible at the same moment. This also applies if the property wraps another one and other code sets that one.
///
/// **Validators** can be called on any thread, for different values at the same time, and several times for the same
/// value. Their result should depend only on their arguments.
///
/// **Lifetime**: the property ends when it is released. It does not retain the properties it depends on.
public final class ValidatingProperty<Value: Sendable, ValidationError: Error>: NodeHolding, MutablePropertyProtocol {
    /// The outcome of the last proposed value.
    public let result: Property<Result>
    /// Sends each accepted value. Completes when the property is released. If the property wraps another one, this is
    /// the signal of that property: it also sends what others set, and completes when that property is released.
    public let signal: Signal<Value, Never>
    /// Ends when the property is released.
    public var lifetime: Lifetime { validation.lifetime }
    @usableFromInline package let node: ValueNode<Value>
    private let validation: any Validation<Value>
    /// Retains the node.
    private let accepted: Property<Value>

    init(_ validation: some Validation<Value>, _ result: Property<Result>, _ accepted: Property<Value>) {
        self.validation = validation
        self.result = result
        self.accepted = accepted
        node = accepted.node
        signal = accepted.signal
    }

    deinit { validation.end() }

    /// The last accepted value. Setting it proposes a value, which is accepted if the validator allows it.
    public var value: Value {
        get { node.latest }
        set { validation.propose(newValue) }
    }

    /// Proposes a value, and returns the previous value. Atomic, like ``modify(_:)``.
    @discardableResult
    public func swap(_ new: Value) -> Value {
        modify { value in
            defer { value = new }
            return value
        }
    }

    /// Proposes what `body` makes of the value. No other value is accepted in the meantime.
    ///
    /// ```swift
    /// let volume = ValidatingProperty<Int, PortError>(9) { $0 <= 10 ? .valid : .invalid(.outOfRange($0)) }
    /// for _ in 1...3 { volume.modify { $0 += 1 } }
    /// print(volume.value, volume.result.value.isInvalid)  // prints 10 true
    /// ```
    ///
    /// Proposes the value once, after `body` has returned or thrown. What `body` and the validator can use: see
    /// ``MutableProperty/modify(_:)``.
    @discardableResult
    public func modify<BodyResult, BodyFailure: Error>(
        _ body: (inout Value) throws(BodyFailure) -> BodyResult
    ) throws(BodyFailure) -> BodyResult { try validation.modify(node, body) }

    /// Calls `body` with the value. No other value is accepted in the meantime. What `body` can use: see
    /// ``MutableProperty/modify(_:)``.
    public func withValue<BodyResult, BodyFailure: Error>(
        _ body: (Value) throws(BodyFailure) -> BodyResult
    ) throws(BodyFailure) -> BodyResult { try validation.withValue(node, body) }

    /// Sends the current value, then each accepted value. Completes when the property is released.
    public var producer: SignalProducer<Value, Never> { node.producer(holding: signal) }

    /// A target that proposes values. It does not retain the property.
    public var bindingTarget: BindingTarget<Value> {
        BindingTarget(lifetime: lifetime) { [weak self] value in self?.value = value }
    }
}

extension ValidatingProperty: BindingSource {}

/// Decides on the values of a ``ValidatingProperty``.
protocol Validation<Value>: AnyObject, Sendable {
    associatedtype Value: Sendable

    var lifetime: Lifetime { get }

    func propose(_ value: Value)

    /// Proposes what `body` makes of the last accepted value, which `accepted` has.
    func modify<Result, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result

    func withValue<Result, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result

    func end()
}
