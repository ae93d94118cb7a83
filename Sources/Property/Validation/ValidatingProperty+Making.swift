import HotSignals

extension ValidatingProperty {
    /// Creates a property that has its own value.
    ///
    /// - Parameters:
    ///   - initial: The initial value, valid or not. ``result`` reports the decision of the validator, and the value is
    ///     not replaced.
    ///   - validator: Decides on each proposed value.
    public convenience init(_ initial: Value, _ validator: @escaping @Sendable (Value) -> Decision) {
        self.init(owning: initial, Property<Never>?.none) { value, _ in validator(value) }
    }

    /// Creates a property whose validator depends on another property.
    ///
    /// When the other property changes, the last proposed value is validated again, and accepted if it is valid now.
    /// All of this becomes visible together with the change. If the value is no longer valid, the property keeps it,
    /// and ``result`` reports that.
    ///
    /// - Parameters:
    ///   - initial: The initial value, valid or not.
    ///   - other: The property that the validator depends on. Not retained.
    ///   - validator: Decides on each proposed value, given the other value.
    public convenience init<Other: PropertyProtocol>(
        _ initial: Value, with other: Other, _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
    ) {
        self.init(owning: initial, other.derivable) { validator($0, $1!) }
    }

    /// Creates a property whose validator depends on another validating property: on its last proposed value, valid or
    /// not.
    ///
    /// To depend on the accepted value of the other property, pass `Property(other)`. Then no value is accepted that
    /// violates the validator's rule together with that of the other property. The other property does not depend on
    /// this one: if it changes so that the value here is no longer valid, both keep their values, and ``result``
    /// reports that.
    ///
    /// - Parameters:
    ///   - initial: The initial value, valid or not.
    ///   - other: The property that the validator depends on. Not retained.
    ///   - validator: Decides on each proposed value, given the other value.
    public convenience init<Other: Sendable, OtherError: Error>(
        _ initial: Value, with other: ValidatingProperty<Other, OtherError>,
        _ validator: @escaping @Sendable (Value, Other) -> Decision
    ) {
        self.init(owning: initial, other.result) { validator($0, $1!.proposed) }
    }

    /// Creates a validating wrapper around a property.
    ///
    /// A value that is proposed here is set on the wrapped property if it is accepted. A value that other code sets on
    /// the wrapped property is kept, valid or not, and ``result`` reports which.
    ///
    /// - Parameters:
    ///   - inner: The wrapped property. Retained.
    ///   - validator: Decides on each value.
    public convenience init(_ inner: MutableProperty<Value>, _ validator: @escaping @Sendable (Value) -> Decision) {
        let validation = InnerValidation(inner, validator)
        self.init(validation, validation.result, Property(inner.root, inner.signal))
    }

    /// Unavailable: validate where both values are known, in a transaction, or derive a property of both.
    @available(
        *, unavailable,
        message: "validate where both values are known, in a transaction, or derive a property of both"
    )
    public convenience init<Other: PropertyProtocol>(
        _ inner: MutableProperty<Value>, with other: Other,
        _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
    ) {
        fatalError("unavailable")
    }

    // MARK: With its own value

    /// - Parameter other: The property that the validator depends on, if any. Without it, the validator receives `nil`.
    private convenience init<Other: Sendable>(
        owning initial: Value, _ other: Property<Other>?, _ validator: @escaping @Sendable (Value, Other?) -> Decision
    ) {
        let validation = OwnValidation(initial)
        let (proposal, otherNode) = (validation.proposal, other?.node)
        let result = withExtendedLifetime(other) {
            Property<Result>(
                ValueNode(
                    .alone("result"), from: [proposal] + (otherNode.map { [$0] } ?? []), ending: .with(0)
                ) { node, pull in
                    let value = proposal.given(to: node, pull)
                    let result = Result(value, validator(value, otherNode?.given(to: node, pull)))
                    return unsafeDowncast(node, to: ValueNode<Result>.self).take(result, pull)
                })
        }
        let (node, tether) = ValueNode<Value>.kept(
            .alone("property"), from: [result.node], initial: { initial },
            next: { node in
                let new = result.node.given(nil)
                let isProposal = proposal.isStaged(for: node) && proposal.staged.hasNext
                if isProposal { return new.value }
                // The other property has changed.
                let former = result.node.value.unsafelyUnwrapped
                return new.valueToSet(after: former, current: node.value.unsafelyUnwrapped)
            })
        self.init(validation, result, Property(node, tether))
    }
}

extension ValidatingProperty where Value == Never, ValidationError == Never {
    // Hidden from other modules: with cross-module optimization the compiler aborts on these parameter packs.

    /// Whether the last proposed values of all given properties are valid.
    ///
    /// ```swift
    /// let canSave = ValidatingProperty.allValid(name, age)
    /// ```
    @_semantics("optimize.no.crossmodule")
    public static func allValid<each Input: Sendable, each InputError: Error>(
        _ properties: repeat ValidatingProperty<each Input, each InputError>
    ) -> Property<Bool> {
        var results: [Property<Bool>] = []
        repeat results.append((each properties).result.map { !$0.isInvalid })
        return Property.all(results).skipRepeats()
    }

    /// Why the last proposed values of the given properties were replaced or rejected, in the order of the properties.
    @_semantics("optimize.no.crossmodule")
    public static func errors<each Input: Sendable, each InputError: Error>(
        _ properties: repeat ValidatingProperty<each Input, each InputError>
    ) -> Property<[any Error]> {
        var errors: [Property<(any Error)?>] = []
        repeat errors.append((each properties).result.map { $0.error })
        return Property.combineLatest(errors).map { $0.compactMap { $0 } }
    }
}
