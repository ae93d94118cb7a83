public import HotSignals

extension PropertyProtocol {
    /// Makes a property that is derived from this one.
    ///
    /// - Parameters:
    ///   - initial: Computes the first value.
    ///   - next: Computes a further one, from this property's and its own; nil if it stays as it is.
    @inlinable
    func derive<NewValue: Sendable>(
        _ name: StaticString, initial: (Value) -> NewValue,
        next: @escaping @Sendable (_ value: Value, _ former: NewValue) -> NewValue?
    ) -> Property<NewValue> {
        derive(name, initial: initial) { input in
            { node in
                unsafeDowncast(node, to: ValueNode<NewValue>.self).compute { next(input.current, $0.value) }
            }
        }
    }

    /// The same for a closure that computes the value where it is needed, which is one call less.
    @inlinable
    func derive<NewValue: Sendable>(
        _ name: StaticString, initial: (Value) -> NewValue,
        compute: (_ input: ValueNode<Value>) -> @Sendable (PropertyNode) -> Bool
    ) -> Property<NewValue> {
        withExtendedLifetime(derivable) { property in
            let input = property.node
            let (node, signal) = ValueNode<NewValue>.derived(
                StreamName(name, parent: input.core), from: [input], snapshot: { input.value }, initial: initial,
                compute: compute(input))
            return Property(node, signal)
        }
    }
}
