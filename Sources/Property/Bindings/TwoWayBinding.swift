public import HotSignals

infix operator <~> : BindingPrecedence

/// Keeps two properties equal from now on.
///
/// ```swift
/// let form = MutableProperty("Ada"), model = MutableProperty("Grace")
/// form <~> model         // both have "Grace": the right side leads
/// form.value = "Edsger"  // both have "Edsger"
/// model.value = "Barbara"
/// ```
///
/// Setting one property also sets the other. Both changes become visible at the same moment, and each property sends
/// one event. There is no echo, even if several threads set both properties. A property can have any number of such
/// bindings. Exception: if a closure that computes a property sets one of the two, that one is visible before the
/// other, and before everything derived from it.
///
/// - Returns: A disposable that ends the binding. The binding also ends when one of the properties is released: it
///   retains neither.
@discardableResult
public func <~> <Value: Sendable>(
    left: MutableProperty<Value>, right: MutableProperty<Value>
) -> any Disposable {
    left.root.link(leader: right.root)
}
