public import ColdProducers
public import HotSignals

/// A value that any thread can read and set, and whose changes can be observed.
///
/// ```swift
/// let count = MutableProperty(0)
/// count.producer.startWithNext { print($0) }  // prints 0
/// count.value = 1                             // prints 1
/// count.modify { $0 += 1 }                    // prints 2
/// ```
///
/// **Order**: a value is visible before its event. A value that an observer sets is visible immediately, and its event
/// follows the current one. All observers therefore receive all values in the same order, and the last event has the
/// current value.
///
/// **Threads**: any thread can read and set the value. ``modify(_:)`` changes it atomically.
///
/// **Lifetime**: the property ends, and its signal completes, when it is released. A producer of it that you have
/// retained still sends the last value.
///
/// In a structure, or in a class that only one actor uses, you can write it as a property wrapper:
///
/// ```swift
/// @MutableProperty var count = 0
/// $count.producer.startWithNext { print($0) }
/// ```
@propertyWrapper
@_fixed_layout
public final class MutableProperty<Value: Sendable>: NodeHolding, BindingTargetProvider {
    @usableFromInline let root: RootNode<Value>
    /// Sends each value that is set, even if it is equal to the previous one. Completes when the property is released.
    public let signal: Signal<Value, Never>
    /// Ends when the property is released.
    public let lifetime: Lifetime

    @usableFromInline package var node: ValueNode<Value> { root }

    /// Creates a property.
    ///
    /// - Parameters:
    ///   - value: The initial value.
    ///   - contention: What a thread that sets the property does while another thread is computing or delivering a
    ///     change.
    @inlinable
    public init(_ value: Value, contention: Contention = .wait) {
        root = RootNode(value, name: StreamName("property"), contention: contention)
        lifetime = root.core.makeLifetime()
        signal = Signal(core: root.core)
    }

    /// Creates a property as a property wrapper.
    @inlinable
    public convenience init(wrappedValue: Value) { self.init(wrappedValue) }

    deinit { root.end() }

    /// The current value. Each time you set it, the property sends an event, even if the value is equal.
    @inlinable
    public var value: Value {
        get { root.latest }
        set { root.set(newValue) }
    }

    /// The current value, for the property wrapper.
    @inlinable
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The property itself, for the property wrapper.
    @inlinable
    public var projectedValue: MutableProperty { self }

    /// Sets the value, and returns the previous one. Atomic: waits for a `modify` in progress.
    @inlinable @discardableResult
    public func swap(_ new: Value) -> Value { root.swap(new) }

    /// Changes the value in place, with exclusive access.
    ///
    /// ```swift
    /// let ticket = tickets.modify { $0 += 1; return $0 }
    /// ```
    ///
    /// No other thread can set the value meanwhile. A reader receives the previous value or waits. The property sends
    /// one event after `body` returns or throws. Using the property inside `body` traps. If two threads are in bodies
    /// of `modify` and need the values of each other's properties, that traps too.
    @inlinable
    public func modify<Result, BodyFailure: Error>(
        _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result { try root.modify(body) }

    /// Calls `body` with the value. No other thread can set the value meanwhile. Using the property inside `body`
    /// traps.
    @inlinable
    public func withValue<Result, BodyFailure: Error>(
        _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result { try root.withValue(body) }

    /// Sends the current value, then each value that is set. Completes when the property is released.
    @inlinable
    public var producer: SignalProducer<Value, Never> { root.producer(holding: signal) }

    /// A target that sets the property. It does not retain the property.
    @inlinable
    public var bindingTarget: BindingTarget<Value> {
        BindingTarget(lifetime: lifetime) { [root] value in root.set(value) }
    }
}
