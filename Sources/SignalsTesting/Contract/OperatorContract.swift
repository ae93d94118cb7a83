import HotSignals
public import ReactiveSignals

/// Checks that an operator you wrote keeps the contract of the library's own operators.
///
/// It runs the library's contract test suite on your operator: several threads that send, dispose and observe at the
/// same time, re-entrant sends, every terminal event, resources released too early, and leaks.
///
/// ```swift
/// try OperatorContract(ofSignals: "numbered", OperatorTraits(isTransparent: true)) { source, probe in
///     source.applying(Numbered()).map { probe.see($0.1) }
/// }.check()
/// ```
///
/// Describe your operator in its traits. A ``OperatorTraits/model`` finds the most mistakes:
///
/// ```swift
/// try OperatorContract(ofSignals: "doubled", OperatorTraits(model: { $0.map { $0 * 2 } })) { source, probe in
///     source.map { probe.see($0) * 2 }
/// }.check(rounds: 10, depth: 1_000)
/// ```
///
/// You can use it with any test framework: ``check(rounds:depth:patience:file:line:)-a2rg`` throws an error that
/// describes the violations. It also detects hangs, without hanging itself.
///
/// Violations refer to these points of the contract:
///
/// 1. Any number of values, then at most one terminal event.
/// 2. Events are serial. A sender waits for the current event. No event is lost, and the order is preserved.
/// 3. A re-entrant send is queued, and delivered before the outer send returns.
/// 4. Threads whose signals feed each other never wait for each other in a cycle.
/// 5. Closures are never called under a lock.
/// 6. Errors and interruptions are forwarded immediately.
/// 7. Applying an operator and observing have no side effects. Each start of a producer has its own.
/// 8. Termination disposes, and disposal cancels, from anywhere and at any time.
/// 9. Events stay on the sender's thread.
/// 10. The stack does not grow with the number of events.
/// 11. Streams live while they are retained or observed, and nothing leaks.
/// 12. The name of the result states what it was derived from.
///
/// - SeeAlso: `StreamOperator`, ``OperatorTraits``, ``ContractViolations``
public struct OperatorContract: Sendable {
    /// The signals that the checks use as input.
    public typealias Numbers = Signal<Int, ContractError>
    /// The producers that the checks use as input.
    public typealias NumbersProducer = SignalProducer<Int, ContractError>

    /// The name of the operator in messages.
    public let name: String
    /// What the operator does on purpose.
    public let traits: OperatorTraits
    package let apply: @Sendable (Numbers, ContractProbe) -> Numbers
    /// The operator on producers, without a signal before or after it. `nil` for an operator on signals.
    package let applyCold: (@Sendable (NumbersProducer, ContractProbe) -> NumbersProducer)?

    package init(
        name: String, traits: OperatorTraits,
        apply: @escaping @Sendable (Numbers, ContractProbe) -> Numbers,
        applyCold: (@Sendable (NumbersProducer, ContractProbe) -> NumbersProducer)?
    ) {
        self.name = name
        self.traits = traits
        self.apply = apply
        self.applyCold = applyCold
    }

    /// Creates the contract of an operator on signals.
    ///
    /// - Parameters:
    ///   - name: The name of the operator in messages.
    ///   - traits: What the operator does on purpose.
    ///   - apply: Applies the operator. Called many times, on any thread. If the operator takes closures, they must
    ///     retain the probe and report their calls with ``ContractProbe/see(_:)``. Otherwise ignore it.
    public init(
        ofSignals name: String, _ traits: OperatorTraits = OperatorTraits(),
        apply: @escaping @Sendable (_ source: Numbers, _ probe: ContractProbe) -> Numbers
    ) {
        self.init(name: name, traits: traits, apply: apply, applyCold: nil)
    }

    /// Creates the contract of an operator on producers.
    ///
    /// Runs the checks for signals on a start, and additional checks on starts with several kinds of sources.
    ///
    /// - Parameters:
    ///   - name: The name of the operator in messages.
    ///   - traits: What the operator does on purpose.
    ///   - apply: Applies the operator. Called many times, on any thread. If the operator takes closures, they must
    ///     retain the probe and report their calls with ``ContractProbe/see(_:)``. Otherwise ignore it.
    public init(
        ofProducers name: String, _ traits: OperatorTraits = OperatorTraits(),
        apply: @escaping @Sendable (_ source: NumbersProducer, _ probe: ContractProbe) -> NumbersProducer
    ) {
        self.init(
            name: name, traits: traits,
            apply: { source, probe in apply(source.producer, probe).startWithSignal { signal, _ in signal } },
            applyCold: apply)
    }

    /// The rules that are checked for this operator, in order. They depend on its traits.
    public var rules: [String] { checks.map { "\($0.contracts.map(String.init).joined(separator: ", ")): \($0.rule)" } }

    var checks: [ContractCheck] { ContractCheck.all.filter { $0.applies(self) } }

    /// Runs all checks, and throws an error if the operator violates the contract.
    ///
    /// Blocks the calling thread for a few seconds. The checks use their own threads.
    ///
    /// - Parameters:
    ///   - rounds: How often each race is run. Use 100 day to day, and 2,500 to find rare races.
    ///   - depth: How many values are sent re-entrantly to check that the stack does not grow.
    ///   - patience: How long to wait for an expected event before it counts as a hang. A long time does no harm.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - Throws: All violations that were found.
    public func check(
        rounds: Int = 100, depth: Int = 100_000, patience: Duration = .seconds(60),
        file: StaticString = #fileID, line: UInt = #line
    ) throws(ContractViolations) {
        let found = violations(rounds: rounds, depth: depth, patience: patience, file: file, line: line)
        if !found.isEmpty { throw ContractViolations(name: name, violations: found) }
    }

    /// Runs all checks, and throws an error if the operator violates the contract.
    ///
    /// Like the blocking form, but suspends the calling task instead of blocking a thread. Cancelling the task does not
    /// stop the checks.
    ///
    /// - Parameters:
    ///   - rounds: How often each race is run. Use 100 day to day, and 2,500 to find rare races.
    ///   - depth: How many values are sent re-entrantly to check that the stack does not grow.
    ///   - patience: How long to wait for an expected event before it counts as a hang. A long time does no harm.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - Throws: All violations that were found.
    public func check(
        rounds: Int = 100, depth: Int = 100_000, patience: Duration = .seconds(60),
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(ContractViolations) {
        let found = await withCheckedContinuation { continuation in
            startThread(stackSize: 1 << 20) {
                continuation.resume(
                    returning: violations(rounds: rounds, depth: depth, patience: patience, file: file, line: line))
            }
        }
        if !found.isEmpty { throw ContractViolations(name: name, violations: found) }
    }

    /// Runs all checks, and returns the violations.
    ///
    /// - Parameters:
    ///   - rounds: How often each race is run.
    ///   - depth: How many values are sent re-entrantly.
    ///   - patience: How long to wait for an expected event before it counts as a hang.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func violations(
        rounds: Int = 100, depth: Int = 100_000, patience: Duration = .seconds(60),
        file: StaticString = #fileID, line: UInt = #line
    ) -> [ContractViolation] {
        require(
            rounds > 0, "OperatorContract(\(name)): the number of rounds, \(rounds), must be positive", file: file,
            line: line)
        require(depth > 0, "OperatorContract(\(name)): the depth, \(depth), must be positive", file: file, line: line)
        var found: [ContractViolation] = []
        for check in checks {
            let (violations, hangs) = check.run(self, rounds: rounds, depth: depth, patience: patience)
            found += violations
            // An operator that hangs once would hang again and again, and leave threads behind each time. An operator
            // that makes the stack grow would overflow it sooner or later.
            if hangs || violations.contains(where: { $0.details.contains("the stack has grown") }) { break }
        }
        return found
    }
}
