extension ValidatingProperty {
    /// The decision of a validator about a value.
    public enum Decision: Sendable {
        /// The value is accepted.
        case valid
        /// The value is replaced by another one, optionally with a reason.
        case coerced(Value, ValidationError?)
        /// The value is rejected.
        case invalid(ValidationError)
    }

    /// The outcome of the last proposed value.
    public enum Result: Sendable {
        /// The property has the proposed value.
        case valid(Value)
        /// The property has a replacement, optionally with a reason.
        case coerced(Value, proposed: Value, ValidationError?)
        /// The property has kept its previous value.
        case invalid(Value, ValidationError)

        init(_ proposed: Value, _ decision: Decision) {
            self =
                switch decision {
                case .valid: .valid(proposed)
                case .coerced(let replacement, let error): .coerced(replacement, proposed: proposed, error)
                case .invalid(let error): .invalid(proposed, error)
                }
        }

        /// Whether the value was rejected.
        public var isInvalid: Bool { value == nil }

        /// The accepted value, either the proposed one or its replacement. `nil` if the value was rejected.
        public var value: Value? {
            switch self {
            case .valid(let value), .coerced(let value, _, _): value
            case .invalid: nil
            }
        }

        /// The proposed value.
        public var proposed: Value {
            switch self {
            case .valid(let value), .coerced(_, let value, _), .invalid(let value, _): value
            }
        }

        /// The value to set after another decision on the same proposed value; `nil` if it was rejected, or if the
        /// property already has the value.
        ///
        /// - Parameter current: The value of the property.
        func valueToSet(after former: Result, current: Value) -> Value? {
            guard let value else { return nil }
            if case .valid = self, case .valid = former { return nil }
            if let current = current as? any Equatable, current.isEqual(to: value) { return nil }
            return value
        }

        /// Why the value was replaced or rejected.
        public var error: ValidationError? {
            switch self {
            case .valid: nil
            case .coerced(_, _, let error): error
            case .invalid(_, let error): error
            }
        }
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

extension ValidatingProperty.Decision: Equatable where Value: Equatable, ValidationError: Equatable {}

extension ValidatingProperty.Result: Equatable where Value: Equatable, ValidationError: Equatable {}
