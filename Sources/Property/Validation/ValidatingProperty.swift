public import ColdProducers
public import HotSignals

/// A property that takes on only those values that a validator lets pass.
///
///     let port = ValidatingProperty<Int, PortError>(80) { (1...65_535).contains($0) ? .valid : .invalid(.outOfRange($0)) }
///     port.value = 8_080    // port.value is 8_080
///     port.value = 123_456  // port.value is 8_080, and port.result.value is .invalid(123_456, .outOfRange(123_456))
///
/// ``result`` says what has become of the value that was proposed last. It sends its event first, before the value does; both are visible at
/// the same moment. (Where others set the property inside, that comes first.)
///
/// **Validators** may be called on any thread, for different values at the same time, and more than once for one. What they return should depend
/// on nothing but what they get.
///
/// **Life**: it ends when it is released. It does not hold what it depends on.
public final class ValidatingProperty<Value: Sendable, ValidationError: Error>: NodeHolding, BindingTargetProvider {
    /// What has become of the value that was proposed last.
    public let result: Property<Result>
    /// Sends each value that is taken, and completes when the property is released. Around another property it is the signal of that: it
    /// sends what others set, too, and completes when that is released.
    public let signal: Signal<Value, Never>
    /// Ends when the property is released.
    public let lifetime: Lifetime
    @usableFromInline package let node: ValueNode<Value>
    private let validation: any Validation<Value>

    init(
        _ validation: some Validation<Value>, _ result: Property<Result>, _ node: ValueNode<Value>,
        _ signal: Signal<Value, Never>
    ) {
        self.validation = validation
        self.result = result
        self.node = node
        self.signal = signal
        lifetime = validation.lifetime
    }

    deinit { validation.end() }

    /// The value that was taken last. A value that is set is proposed, and taken if the validator lets it pass.
    public var value: Value {
        get { node.isRoot ? unsafeDowncast(node, to: RootNode<Value>.self).latest : node.visibleValue }
        set { validation.propose(newValue) }
    }

    /// Sends the value when it is started, and then each that is taken; completes when the property is released.
    public var producer: SignalProducer<Value, Never> { node.producer(holding: signal) }

    /// Proposes values, and does not hold the property.
    public var bindingTarget: BindingTarget<Value> {
        BindingTarget(lifetime: lifetime) { [weak self] value in self?.value = value }
    }
}

extension ValidatingProperty: BindingSource {}

/// How a ``ValidatingProperty`` comes to its values.
protocol Validation<Value>: AnyObject, Sendable {
    associatedtype Value: Sendable

    var lifetime: Lifetime { get }

    func propose(_ value: Value)

    func end()
}
