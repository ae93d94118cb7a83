import HotSignals

extension ValidatingProperty {
    /// A property of its own value.
    ///
    /// - Parameters:
    ///   - initial: What it has at first, valid or not: ``result`` says what the validator thinks of it, and nothing is replaced.
    ///   - validator: Decides on each value that is proposed.
    public convenience init(_ initial: Value, _ validator: @escaping @Sendable (Value) -> Decision) {
        self.init(owning: initial, Property<Never>?.none) { value, _ in validator(value) }
    }

    /// A property whose validity depends on another one.
    ///
    /// When that changes, the value that was proposed last is validated again, and is taken if it is right by then; all of it is
    /// visible together with the change.
    ///
    /// - Parameters:
    ///   - initial: What it has at first, valid or not.
    ///   - other: What it depends on. It is not held.
    ///   - validator: Decides on each value that is proposed, given the other one.
    public convenience init<Other: PropertyProtocol>(
        _ initial: Value, with other: Other, _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
    ) {
        self.init(owning: initial, other.derivable) { validator($0, $1!) }
    }

    /// A property whose validity depends on another validating one: on the value that was proposed for that, right or wrong.
    ///
    /// To depend on the value that the other has, pass `Property(other)`: then a pair of the two is never out of order.
    ///
    /// - Parameters:
    ///   - initial: What it has at first, valid or not.
    ///   - other: What it depends on. It is not held.
    ///   - validator: Decides on each value that is proposed, given the other one.
    public convenience init<Other: Sendable, OtherError: Error>(
        _ initial: Value, with other: ValidatingProperty<Other, OtherError>,
        _ validator: @escaping @Sendable (Value, Other) -> Decision
    ) {
        self.init(owning: initial, other.result) { validator($0, $1!.proposed) }
    }

    /// A validating face of a property.
    ///
    /// What is proposed here is set there if it is taken. What is set there stays there, right or wrong, and ``result`` says which.
    ///
    /// - Parameters:
    ///   - inner: The property. It is held.
    ///   - validator: Decides on each value.
    public convenience init(_ inner: MutableProperty<Value>, _ validator: @escaping @Sendable (Value) -> Decision) {
        self.init(wrapping: inner, Property<Never>?.none) { value, _ in validator(value) }
    }

    /// A validating face of a property, whose validity depends on another one.
    ///
    /// When that changes, the value that was proposed last is validated again, and is set if it is right by then: right after the change,
    /// as a change of its own.
    ///
    /// - Parameters:
    ///   - inner: The property. It is held.
    ///   - other: What it depends on. It is not held.
    ///   - validator: Decides on each value, given the other one.
    public convenience init<Other: PropertyProtocol>(
        _ inner: MutableProperty<Value>, with other: Other,
        _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
    ) {
        self.init(wrapping: inner, other.derivable) { validator($0, $1!) }
    }

    /// A validating face of a property, whose validity depends on another validating one: on the value that was proposed for that, right
    /// or wrong.
    ///
    /// - Parameters:
    ///   - inner: The property. It is held.
    ///   - other: What it depends on. It is not held.
    ///   - validator: Decides on each value, given the other one.
    public convenience init<Other: Sendable, OtherError: Error>(
        _ inner: MutableProperty<Value>, with other: ValidatingProperty<Other, OtherError>,
        _ validator: @escaping @Sendable (Value, Other) -> Decision
    ) {
        self.init(wrapping: inner, other.result) { validator($0, $1!.proposed) }
    }

    // MARK: The two kinds

    /// - Parameter other: What it depends on, if anything; without it, the validator gets nil.
    private convenience init<Other: Sendable>(
        owning initial: Value, _ other: Property<Other>?, _ validator: @escaping @Sendable (Value, Other?) -> Decision
    ) {
        let validation = OwnValidation(initial)
        let (proposal, otherNode) = (validation.proposal, other?.node)
        let result = withExtendedLifetime(other) {
            ValueNode<Result>.derived(
                StreamName("result"), from: [proposal] + (otherNode.map { [$0] } ?? []),
                snapshot: { (proposal.value, otherNode?.value) }, initial: { Result($0, validator($0, $1)) },
                recompute: { _ in Result(proposal.current, validator(proposal.current, otherNode?.current)) },
                ending: .with(0))
        }
        let value = ValueNode<Value>.derived(
            StreamName("property"), from: [result.0], snapshot: {}, initial: { initial },
            recompute: { _ in result.0.current.value })
        self.init(validation, Property(result.0, result.1), value.0, value.1)
    }

    private convenience init<Other: Sendable>(
        wrapping inner: MutableProperty<Value>, _ other: Property<Other>?,
        _ validator: @escaping @Sendable (Value, Other?) -> Decision
    ) {
        let validation = withExtendedLifetime(other) { InnerValidation(inner, other?.node, validator) }
        self.init(validation, validation.result, inner.root, inner.signal)
    }
}

extension ValidatingProperty where Value == Never, ValidationError == Never {
    /// Whether the values that were proposed last to all these are valid.
    ///
    ///     let canSave = ValidatingProperty.allValid(name, age)
    public static func allValid<each Input: Sendable, each InputError: Error>(
        _ properties: repeat ValidatingProperty<each Input, each InputError>
    ) -> Property<Bool> {
        var results: [Property<Bool>] = []
        repeat results.append((each properties).result.map { !$0.isInvalid })
        return Property.all(results).skipRepeats()
    }

    /// Why the values that were proposed last to these were replaced or refused, in the order of the properties.
    public static func errors<each Input: Sendable, each InputError: Error>(
        _ properties: repeat ValidatingProperty<each Input, each InputError>
    ) -> Property<[any Error]> {
        var errors: [Property<(any Error)?>] = []
        repeat errors.append((each properties).result.map { $0.error })
        return Property.combineLatest(errors).map { $0.compactMap { $0 } }
    }
}
