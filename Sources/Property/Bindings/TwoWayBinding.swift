public import HotSignals

infix operator <~> : BindingPrecedence

/// Keeps two properties equal, from now on.
///
///     let form = MutableProperty("Ada"), model = MutableProperty("Grace")
///     form <~> model         // both have "Grace": the right side leads
///     form.value = "Edsger"  // both have "Edsger"
///     model.value = "Barbara"
///
/// What is set on one side is set on the other with it, for all to see at the same moment, and each side sends one event. So there is
/// no echo, also where the two are set by several threads. A property may have any number of such bindings. (Set in a closure that computes a
/// property, one side is visible before the other, as all that depends on it.)
///
/// - Returns: What ends the binding. It also ends when one of the properties is released: it holds neither.
@discardableResult
public func <~> <Value: Sendable>(
    left: MutableProperty<Value>, right: MutableProperty<Value>
) -> any Disposable {
    left.root.link(leader: right.root)
}
