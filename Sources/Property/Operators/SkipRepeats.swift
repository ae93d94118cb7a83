extension PropertyProtocol {
    /// A property that does not report a change to a value that repeats its current one.
    ///
    /// Has a memory: it is computed at each change, as long as it is referenced. ``skipRepeats()``, for `Equatable`
    /// values, is computed only when its value is read or it is observed.
    ///
    /// - Parameter isRepeat: Whether the second argument, a new value, repeats the first one, the current value.
    @_alwaysEmitIntoClient
    public func skipRepeats(_ isRepeat: @escaping @Sendable (Value, Value) -> Bool) -> Property<Value> {
        keep("skipRepeats:", initial: { $0 }) { value, former in isRepeat(former, value) ? nil : value }
    }
}

extension PropertyProtocol where Value: Equatable {
    /// A property that does not report a change to an equal value.
    ///
    /// ```marbles
    /// source                  1--1--2--2--|
    /// source.skipRepeats()    1-----2-----|
    /// ```
    ///
    /// The values are compared while the property is observed. Which of several equal values it has is unspecified.
    @_alwaysEmitIntoClient
    public func skipRepeats() -> Property<Value> {
        withNode { input in
            input.refuseAccessInBody()
            // It does not matter which of several equal values the property has. So it needs no memory, except for the
            // events.
            return Property(
                ValueNode<Value>(.after("skipRepeats"), from: input) { node, pull in
                    let node = unsafeDowncast(node, to: ValueNode<Value>.self)
                    let new = input.given(pull)
                    if pull == nil, node.value.unsafelyUnwrapped == new { return false }
                    return node.take(new, pull)
                })
        }
    }
}
