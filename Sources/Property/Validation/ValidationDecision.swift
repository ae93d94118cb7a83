extension ValidatingProperty {
    /// What a validator says about a value.
    public enum Decision: Sendable {
        /// It is right.
        case valid
        /// Another one takes its place, for a reason that may be given.
        case coerced(Value, ValidationError?)
        /// It is wrong.
        case invalid(ValidationError)
    }

    /// What has become of the value that was proposed last.
    public enum Result: Sendable {
        /// It is the property's value.
        case valid(Value)
        /// The property has a replacement, for a reason that may be given.
        case coerced(Value, proposed: Value, ValidationError?)
        /// The property has kept the value from before.
        case invalid(Value, ValidationError)

        init(_ proposed: Value, _ decision: Decision) {
            self =
                switch decision {
                case .valid: .valid(proposed)
                case .coerced(let replacement, let error): .coerced(replacement, proposed: proposed, error)
                case .invalid(let error): .invalid(proposed, error)
                }
        }

        /// Whether the value was refused.
        public var isInvalid: Bool { value == nil }

        /// The value that was taken: the proposed one or its replacement; nil if it was refused.
        public var value: Value? {
            switch self {
            case .valid(let value), .coerced(let value, _, _): value
            case .invalid: nil
            }
        }

        /// The value that was proposed.
        public var proposed: Value {
            switch self {
            case .valid(let value), .coerced(_, let value, _), .invalid(let value, _): value
            }
        }

        /// Why it was replaced or refused.
        public var error: ValidationError? {
            switch self {
            case .valid: nil
            case .coerced(_, _, let error): error
            case .invalid(_, let error): error
            }
        }
    }
}

extension ValidatingProperty.Decision: Equatable where Value: Equatable, ValidationError: Equatable {}

extension ValidatingProperty.Result: Equatable where Value: Equatable, ValidationError: Equatable {}
