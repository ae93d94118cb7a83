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
/// Setting one property also sets the other, and all others that are bound to them in this way, in one change. The new
/// values become visible at the same moment, and each property sends one event. There is no echo, even if several
/// threads set several of the properties: they wait for each other, as if they set one property. A property can have
/// any number of such bindings.
///
/// **Cost**: setting any of them costs as much as setting all. So does `hub <~> new` if many properties are bound to
/// `hub`, because it sets them to the value of `new`. `new <~> hub` costs the same however many there are.
///
/// - Returns: A disposable that ends the binding. The binding also ends when one of the properties is released: it
///   retains neither. When the last binding between two properties has ended, they keep their values and share nothing.
@discardableResult
public func <~> <Value: Sendable>(
    left: MutableProperty<Value>, right: MutableProperty<Value>
) -> any Disposable {
    left.root.link(leader: right.root)
}
