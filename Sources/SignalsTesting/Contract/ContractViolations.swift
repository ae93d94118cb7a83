/// A point of the contract that an operator violates.
public struct ContractViolation: Sendable, Hashable, CustomStringConvertible {
    /// The numbers of the points, as listed in the documentation of ``OperatorContract``.
    public let contracts: [Int]
    /// The rule that is violated.
    public let rule: String
    /// What the check did, what it expected, and what it observed.
    public let details: String
    /// How many times it was observed.
    public let count: Int

    package init(contracts: [Int], rule: String, details: String, count: Int = 1) {
        self.contracts = contracts
        self.rule = rule
        self.details = details
        self.count = count
    }

    /// The violation on one line.
    public var description: String {
        "\(contracts.map(String.init).joined(separator: ", ")): \(rule): \(details)"
            + (count > 1 ? " (\(count) times)" : "")
    }
}

/// The points of the contract that an operator violates. ``OperatorContract`` throws it.
public struct ContractViolations: Error, Sendable, CustomStringConvertible {
    /// The name of the operator.
    public let name: String
    /// The violations, in the order of the checks. Never empty.
    public let violations: [ContractViolation]

    package init(name: String, violations: [ContractViolation]) {
        self.name = name
        self.violations = violations
    }

    /// One line per violation.
    public var description: String {
        let points = violations.count == 1 ? "one point" : "\(violations.count) points"
        return (["\(name) breaks the contract in \(points):"] + violations.map { "- \($0)" }).joined(separator: "\n")
    }
}
