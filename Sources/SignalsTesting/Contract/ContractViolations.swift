/// One point in which an operator breaks the contract.
public struct ContractViolation: Sendable, Hashable, CustomStringConvertible {
    /// The numbers of the contracts, as the documentation of ``OperatorContract`` lists them.
    public let contracts: [Int]
    /// What the contract says, of which this is a violation.
    public let rule: String
    /// What was done, what was expected, and what came instead.
    public let details: String
    /// How often it was seen.
    public let count: Int

    package init(contracts: [Int], rule: String, details: String, count: Int = 1) {
        self.contracts = contracts
        self.rule = rule
        self.details = details
        self.count = count
    }

    /// All of it on one line.
    public var description: String {
        "\(contracts.map(String.init).joined(separator: ", ")): \(rule): \(details)"
            + (count > 1 ? " (\(count) times)" : "")
    }
}

/// The points in which an operator breaks the contract, as ``OperatorContract`` throws them.
public struct ContractViolations: Error, Sendable, CustomStringConvertible {
    /// The operator, as it was called.
    public let name: String
    /// What was found, in the order of the checks. Never empty.
    public let violations: [ContractViolation]

    package init(name: String, violations: [ContractViolation]) {
        self.name = name
        self.violations = violations
    }

    /// One line for each violation.
    public var description: String {
        let points = violations.count == 1 ? "one point" : "\(violations.count) points"
        return (["\(name) breaks the contract in \(points):"] + violations.map { "- \($0)" }).joined(separator: "\n")
    }
}
