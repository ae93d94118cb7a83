public import ColdProducers
public import HotSignals

/// Binds more tightly than assignment, and from the right; its right side may be a `flag ? a : b`.
precedencegroup BindingPrecedence {
    associativity: right
    higherThan: AssignmentPrecedence
    lowerThan: TernaryPrecedence
}

infix operator <~ : BindingPrecedence

/// Has a target consume the values of a source, from now on.
///
///     isValid <~ name.map { !$0.isEmpty }
///
/// A producer is started, a property gives its present value at once. The binding ends with the source, with the target's lifetime,
/// and when the disposable is disposed of; then the source is let go of, and a producer's work is interrupted. The target is not held.
@inlinable @discardableResult
public func <~ <Target: BindingTargetProvider>(
    target: Target, source: some BindingSource<Target.Value>
) -> any Disposable {
    bind(target.bindingTarget, source) { $0 }
}

/// Has a target of optional values consume the values of a source that has no `nil`.
@inlinable @discardableResult
public func <~ <Value: Sendable>(
    target: some BindingTargetProvider<Value?>, source: some BindingSource<Value>
) -> any Disposable {
    bind(target.bindingTarget, source) { $0 }
}

@inlinable
func bind<Value: Sendable, Source: BindingSource>(
    _ target: BindingTarget<Value>, _ source: Source, _ transform: @escaping @Sendable (Source.Value) -> Value
) -> any Disposable {
    target.bind(source.producer.map(transform))
}
