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
/// **Threads**: any thread can read and set the value. ``modify(_:)`` changes it atomically. Reading never waits for a
/// computation or an observer, and at most for one body of `modify`. Setting concerns only this property and what is
/// derived from it and observed: see <doc:Glitches>.
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
public final class MutableProperty<Value: Sendable>: NodeHolding, MutablePropertyProtocol {
    @usableFromInline package let root: RootNode<Value>
    /// Sends each value that is set, even if it is equal to the previous one. Completes when the property is released.
    @_alwaysEmitIntoClient
    public var signal: Signal<Value, Never> {
        Signal.held(by: handle) ?? root.signal(in: handle, isRetaining: false)
    }
    /// Ends when the property is released.
    @_alwaysEmitIntoClient
    public var lifetime: Lifetime { root.lifetime }
    /// A retained reference to the signal, or 0 until the signal is first needed.
    @usableFromInline let handle = AtomicWord(0)

    @usableFromInline package var node: ValueNode<Value> { root }

    /// Creates a property.
    ///
    /// - Parameters:
    ///   - value: The initial value.
    ///   - contention: What a thread that sets the property does while another thread is delivering a change. With
    ///     `.enqueue`, setting never waits for an observer: the value, and what is derived from it, are new when the
    ///     setter returns, and the events follow from the other thread. It can wait for a closure that computes, and
    ///     for a body of ``modify(_:)`` or ``withValue(_:)``.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    @_alwaysEmitIntoClient
    public init(_ value: Value, contention: Contention = .wait, file: StaticString = #fileID, line: UInt = #line) {
        root = RootNode(value, name: StreamName("property", madeAt: CodeLocation(file, line)), contention: contention)
    }

    /// Creates a property as a property wrapper.
    @_alwaysEmitIntoClient
    public convenience init(wrappedValue: Value, file: StaticString = #fileID, line: UInt = #line) {
        self.init(wrappedValue, file: file, line: line)
    }

    deinit {
        root.end()
        root.releaseSignal(in: handle)
    }

    /// The current value. Each time you set it, the property sends an event, even if the value is equal.
    @_alwaysEmitIntoClient
    public var value: Value {
        get { root.latestOfRoot }
        @inline(__always) set { root.set(newValue) }
    }

    /// The current value, for the property wrapper.
    @_alwaysEmitIntoClient
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The property itself, for the property wrapper.
    @_alwaysEmitIntoClient
    public var projectedValue: MutableProperty { self }

    /// Sets the value, and returns the previous one. Atomic: waits for a `modify` in progress.
    @_alwaysEmitIntoClient @discardableResult
    public func swap(_ new: Value) -> Value { root.swap(new) }

    /// Changes the value atomically, with exclusive access.
    ///
    /// ```swift
    /// let ticket = tickets.modify { $0 += 1; return $0 }
    /// ```
    ///
    /// Another thread that sets the value meanwhile waits, with `.enqueue`, too. The property sends one event after
    /// `body` returns or throws.
    ///
    /// **In place**: a value that is not trivially copyable, such as an array, is changed in place. Readers then wait
    /// until `body` has finished. In these cases, `body` changes a copy, and readers receive the previous value:
    ///
    /// - The value is trivially copyable, such as an integer.
    /// - A property derived from this one is observed or has a memory, such as one made with `filter`.
    /// - This property is bound to another one with ``<~>(_:_:)``.
    /// - Another thread of the process is changing a property in place, or a reader still waits for the last body.
    ///
    /// **In `body`** you can read any property that is not derived from this one, and set none. Using this property,
    /// one bound to it with `<~>` or one derived from it traps, and so does a set: see <doc:Glitches>.
    @_alwaysEmitIntoClient
    public func modify<Result, BodyFailure: Error>(
        _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result { try root.modify(body) }

    /// Calls `body` with the value. No other thread can set the value meanwhile. Readers do not wait. What `body` can
    /// use: see ``modify(_:)``.
    ///
    /// In the body of another `modify` or `withValue`, and in a closure that computes a property, it only passes the
    /// value: other threads can set the property meanwhile.
    @_alwaysEmitIntoClient
    public func withValue<Result, BodyFailure: Error>(
        _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result { try root.withValue(body) }

    /// Sends the current value, then each value that is set. Completes when the property is released.
    @_alwaysEmitIntoClient
    public var producer: SignalProducer<Value, Never> { root.producer(holding: signal) }

    /// A target that sets the property. It does not retain the property.
    @_alwaysEmitIntoClient
    public var bindingTarget: BindingTarget<Value> {
        BindingTarget(lifetime: lifetime) { [root] value in root.set(value) }
    }
}
