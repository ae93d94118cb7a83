public import ColdProducers
public import HotSignals

/// A value that changes, for those who set it.
///
///     let count = MutableProperty(0)
///     count.producer.startWithNext { print($0) }  // prints 0
///     count.value = 1                             // prints 1
///     count.modify { $0 += 1 }                    // prints 2
///
/// **Order**: a value is visible before its event. What observers set from inside an event is visible at once, and its event
/// follows the one in flight; so all observers see all values in one order, and the last one is the value.
///
/// **Threads**: it may be read and set from any thread, and changed by ``modify(_:)`` without anybody coming in between.
///
/// **Life**: it ends, and its signal completes, when it is released. Those who kept its producer still get the last value.
///
/// In a structure, or a class that one actor has to itself, it may be written as a wrapper:
///
///     @MutableProperty var count = 0
///     $count.producer.startWithNext { print($0) }
@propertyWrapper
@_fixed_layout
public final class MutableProperty<Value: Sendable>: NodeHolding, BindingTargetProvider {
    @usableFromInline let root: RootNode<Value>
    /// Sends each change, and completes when the property is released.
    public let signal: Signal<Value, Never>
    /// Ends when the property is released.
    public let lifetime: Lifetime

    @usableFromInline package var node: ValueNode<Value> { root }

    /// - Parameters:
    ///   - value: What it has at first.
    ///   - contention: What a thread does that sets it while another one's change is being computed or told.
    @inlinable
    public init(_ value: Value, contention: Contention = .wait) {
        root = RootNode(value, name: StreamName("property"), contention: contention)
        lifetime = root.core.makeLifetime()
        signal = Signal(core: root.core)
    }

    /// As a property wrapper.
    @inlinable
    public convenience init(wrappedValue: Value) { self.init(wrappedValue) }

    deinit { root.end() }

    /// The value at this moment. Each time that it is set, an event tells of it, also of an equal value.
    @inlinable
    public var value: Value {
        get { root.latest }
        set { root.set(newValue) }
    }

    /// The value at this moment, for the wrapper.
    @inlinable
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The property itself, for the wrapper.
    @inlinable
    public var projectedValue: MutableProperty { self }

    /// Sets the value, and returns the one before. Nobody comes in between: it waits for a `modify` that is in progress.
    @inlinable @discardableResult
    public func swap(_ new: Value) -> Value { root.swap(new) }

    /// Changes the value. Nobody sets it meanwhile, so that nothing is lost; whoever reads it gets the value from before, or waits.
    ///
    ///     let ticket = tickets.modify { $0 += 1; return $0 }
    ///
    /// One event tells of it when `body` is over, also when that throws. Using the property inside `body` traps. So do two threads that are in
    /// bodies of `modify` and need the values of each other's properties.
    @inlinable
    public func modify<Result, BodyFailure: Error>(
        _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result { try root.modify(body) }

    /// Runs `body` with the value, which nobody sets meanwhile. Using the property inside `body` traps.
    @inlinable
    public func withValue<Result, BodyFailure: Error>(
        _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result { try root.withValue(body) }

    /// Sends the value when it is started, and then each change; completes when the property is released.
    @inlinable
    public var producer: SignalProducer<Value, Never> { root.producer(holding: signal) }

    /// Sets the property, and does not hold it.
    @inlinable
    public var bindingTarget: BindingTarget<Value> {
        BindingTarget(lifetime: lifetime) { [root] value in root.set(value) }
    }
}
