public import ColdProducers
public import HotSignals

/// Binds more tightly than assignment, from right to left. The right side can be a ternary expression.
precedencegroup BindingPrecedence {
    associativity: right
    higherThan: AssignmentPrecedence
    lowerThan: TernaryPrecedence
}

infix operator <~ : BindingPrecedence

/// Binds a target to a source: the target consumes the values of the source from now on.
///
/// ```swift
/// isValid <~ name.map { !$0.isEmpty }
/// ```
///
/// A producer is started; a property sends its current value immediately. The binding ends with the source, with the
/// lifetime of the target, or when the disposable is disposed of. It then releases the source, and interrupts the work
/// of a producer. It does not retain the target.
///
/// To keep two properties equal, use ``<~>(_:_:)``, not two bindings in opposite directions. With `a <~ b` and
/// `b <~ a`, each set of one property sets the other one, so they set each other forever, even on a single thread.
/// `a <~ b.skipRepeats()` and `b <~ a.skipRepeats()` set the properties in separate changes: if two threads set both,
/// the values can chase each other forever.
///
/// - Returns: A disposable that ends the binding. You need not store it.
@_alwaysEmitIntoClient @discardableResult
public func <~ <Target: BindingTargetProvider>(
    target: Target, source: some BindingSource<Target.Value>
) -> any Disposable {
    target.bindingTarget.bind(source.producer)
}

/// Binds a target of an optional type to a source of non-optional values.
///
/// - Returns: A disposable that ends the binding. You need not store it.
@_alwaysEmitIntoClient @discardableResult
public func <~ <Value: Sendable>(
    target: some BindingTargetProvider<Value?>, source: some BindingSource<Value>
) -> any Disposable {
    target.bindingTarget.bind(source.producer.map { $0 })
}
