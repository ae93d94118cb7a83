public import ColdProducers
public import HotSignals

// Diagnostics for likely mistakes. Without these, the compiler would only say that no overload applies.

/// Rejects a source that can fail.
@available(
    *, unavailable,
    message: "this source can fail, and a binding takes no errors: handle them first, as with flatMapError"
)
@_disfavoredOverload @discardableResult
public func <~ <Target: BindingTargetProvider, Source: SignalProducerConvertible>(
    target: Target, source: Source
) -> any Disposable where Source.Value == Target.Value {
    fatalError("unavailable")
}

/// Rejects a source whose values have another type.
@available(*, unavailable, message: "the source's values are of another type than the target's: map them")
@_disfavoredOverload @discardableResult
public func <~ <Target: BindingTargetProvider, Source: SignalProducerConvertible>(
    target: Target, source: Source
) -> any Disposable where Source.Failure == Never {
    fatalError("unavailable")
}

/// Rejects a source that can fail and whose values have another type.
@available(
    *, unavailable,
    message:
        "the source's values are of another type than the target's, and it can fail: map them, and handle errors first"
)
@_disfavoredOverload @discardableResult
public func <~ <Target: BindingTargetProvider, Source: SignalProducerConvertible>(
    target: Target, source: Source
) -> any Disposable {
    fatalError("unavailable")
}

/// Rejects a target that is read-only.
@available(*, unavailable, message: "a Property is read-only: bind a MutableProperty")
@discardableResult
public func <~ <Value: Sendable, Source: SignalProducerConvertible>(
    target: Property<Value>, source: Source
) -> any Disposable {
    fatalError("unavailable")
}
