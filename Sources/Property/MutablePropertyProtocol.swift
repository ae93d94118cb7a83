/// A property that can be set: ``MutableProperty`` or ``ValidatingProperty``.
///
/// Use it for code that changes a property and does not depend on whether the property validates:
///
/// ```swift
/// func increment(_ counter: some MutablePropertyProtocol<Int>) -> Int {
///     counter.modify { value in
///         value += 1
///         return value
///     }
/// }
/// print(increment(MutableProperty(1)))  // prints 2
/// ```
///
/// A validating property takes each new value as a proposal, and keeps its value if the proposal is invalid.
public protocol MutablePropertyProtocol<Value>: AnyObject, PropertyProtocol, BindingTargetProvider {
    /// The current value. Each time you set it, the property sends an event, even if the value is equal, unless it does
    /// not accept the value.
    var value: Value { get set }

    /// Sets the value, and returns the previous one. Atomic.
    @discardableResult
    func swap(_ new: Value) -> Value

    /// Changes the value atomically, with exclusive access. What `body` can use: see ``MutableProperty/modify(_:)``.
    @discardableResult
    func modify<Result, BodyFailure: Error>(
        _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result

    /// Calls `body` with the value, which does not change in the meantime.
    func withValue<Result, BodyFailure: Error>(
        _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result
}
