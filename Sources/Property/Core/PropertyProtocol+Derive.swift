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
        withExtendedLifetime(derivable) { property in
            let input = property.node
            let (node, signal) = ValueNode<NewValue>.derived(
                StreamName(name, parent: input.core), from: [input], snapshot: { input.value }, initial: initial,
                compute: {
                    unsafeDowncast($0, to: ValueNode<NewValue>.self).compute { next(input.current, $0.value) }
                })
            return Property(node, signal)
        }
    }
}
