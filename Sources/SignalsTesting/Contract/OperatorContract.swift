import HotSignals
public import ReactiveSignals

/// Checks that an operator of your own keeps the contract that all operators of the library keep.
///
/// The checks of the library's own contract suite are run on it: with several threads that send, dispose and observe at the same
/// time, with values sent from inside of values, with every way to end, with what is released too early and what should have been
/// released.
///
///     try OperatorContract(ofSignals: "numbered", OperatorTraits(isTransparent: true)) { source, witness in
///         source.applying(Numbered()).map { witness.see($0.1) }
///     }.check()
///
/// Say what you know of the operator in its traits. Most is found with a ``OperatorTraits/model``:
///
///     try OperatorContract(ofSignals: "doubled", OperatorTraits(model: { $0.map { $0 * 2 } })) { source, witness in
///         source.map { witness.see($0) * 2 }
///     }.check(rounds: 10, depth: 1_000)
///
/// It needs no test framework and works with all: ``check(rounds:depth:patience:)-11fp7`` throws what it finds, as text that can be
/// read. What hangs is found as well: it does not hang the check.
///
/// The contract, of which the violations name the numbers:
///
/// 1. Any number of values, then at most one terminal event.
/// 2. Events are serial; a sender waits for the event in flight; nothing is lost and the order is kept.
/// 3. What is sent from inside a delivery is queued and has been delivered when the outer send returns.
/// 4. Threads whose signals feed each other never wait for each other in a circle.
/// 5. Nobody's closures are called under a lock.
/// 6. Errors and interruptions go on at once.
/// 7. Applying and observing have no side effects; each start of a producer has its own.
/// 8. The end disposes, disposal cancels, from anywhere and at any time.
/// 9. Events stay on their sender's thread.
/// 10. The stack does not grow with the number of events.
/// 11. Streams live while they are held or observed, and nothing leaks.
/// 12. Results say what they are made of.
///
/// - SeeAlso: `StreamOperator`, ``OperatorTraits``, ``ContractViolations``
public struct OperatorContract: Sendable {
    /// The signals that the checks apply an operator to.
    public typealias Numbers = Signal<Int, ContractError>
    /// The producers that they apply an operator to.
    public typealias NumbersProducer = SignalProducer<Int, ContractError>

    /// What the operator is called in messages.
    public let name: String
    /// What it does rightfully.
    public let traits: OperatorTraits
    package let apply: @Sendable (Numbers, ContractWitness) -> Numbers
    /// The operator on producers, without a signal before and behind it; nil for one on signals.
    package let applyCold: (@Sendable (NumbersProducer, ContractWitness) -> NumbersProducer)?

    package init(
        name: String, traits: OperatorTraits,
        apply: @escaping @Sendable (Numbers, ContractWitness) -> Numbers,
        applyCold: (@Sendable (NumbersProducer, ContractWitness) -> NumbersProducer)?
    ) {
        self.name = name
        self.traits = traits
        self.apply = apply
        self.applyCold = applyCold
    }

    /// The contract of an operator on signals.
    ///
    /// - Parameters:
    ///   - name: What it is called in messages.
    ///   - traits: What it does rightfully.
    ///   - apply: Applies it. It is called many times, on any thread. Closures that the operator takes hold the witness and tell it of
    ///     their calls, with ``ContractWitness/see(_:)``; an operator without closures may ignore it.
    public init(
        ofSignals name: String, _ traits: OperatorTraits = OperatorTraits(),
        apply: @escaping @Sendable (_ source: Numbers, _ witness: ContractWitness) -> Numbers
    ) {
        self.init(name: name, traits: traits, apply: apply, applyCold: nil)
    }

    /// The contract of an operator on producers.
    ///
    /// What is checked of signals is checked of a start, and the operator's starts with all kinds of sources.
    ///
    /// - Parameters:
    ///   - name: What it is called in messages.
    ///   - traits: What it does rightfully.
    ///   - apply: Applies it. It is called many times, on any thread. Closures that the operator takes hold the witness and tell it of
    ///     their calls, with ``ContractWitness/see(_:)``; an operator without closures may ignore it.
    public init(
        ofProducers name: String, _ traits: OperatorTraits = OperatorTraits(),
        apply: @escaping @Sendable (_ source: NumbersProducer, _ witness: ContractWitness) -> NumbersProducer
    ) {
        self.init(
            name: name, traits: traits,
            apply: { source, witness in apply(source.producer, witness).startWithSignal { signal, _ in signal } },
            applyCold: apply)
    }

    /// What is checked of this operator, in the order of the checks: which these are depends on its traits.
    public var rules: [String] { checks.map { "\($0.contracts.map(String.init).joined(separator: ", ")): \($0.rule)" } }

    var checks: [ContractCheck] { ContractCheck.all.filter { $0.applies(self) } }

    /// Runs all checks, and throws if the operator breaks the contract.
    ///
    /// Blocks the calling thread for a few seconds; the checks have threads of their own.
    ///
    /// - Parameters:
    ///   - rounds: How often a race is run: 2,500 to be sure, a hundred for every day.
    ///   - depth: How many values are sent from inside one another, to see that the stack does not grow.
    ///   - patience: How long to wait for what must come before it counts as hanging. It need not be short.
    /// - Throws: All that was found.
    public func check(
        rounds: Int = 100, depth: Int = 100_000, patience: Duration = .seconds(60)
    ) throws(ContractViolations) {
        let found = violations(rounds: rounds, depth: depth, patience: patience)
        if !found.isEmpty { throw ContractViolations(name: name, violations: found) }
    }

    /// Runs all checks, and throws if the operator breaks the contract.
    ///
    /// Like the form that blocks, but suspends the calling task: it leaves the threads of Swift's pool to others. Cancelling the task
    /// does not end it.
    ///
    /// - Parameters:
    ///   - rounds: How often a race is run: 2,500 to be sure, a hundred for every day.
    ///   - depth: How many values are sent from inside one another, to see that the stack does not grow.
    ///   - patience: How long to wait for what must come before it counts as hanging. It need not be short.
    /// - Throws: All that was found.
    public func check(
        rounds: Int = 100, depth: Int = 100_000, patience: Duration = .seconds(60)
    ) async throws(ContractViolations) {
        let found = await withCheckedContinuation { continuation in
            startThread(stackSize: 1 << 20) {
                continuation.resume(returning: violations(rounds: rounds, depth: depth, patience: patience))
            }
        }
        if !found.isEmpty { throw ContractViolations(name: name, violations: found) }
    }

    /// Runs all checks, and returns what they find.
    ///
    /// - Parameters:
    ///   - rounds: How often a race is run.
    ///   - depth: How many values are sent from inside one another.
    ///   - patience: How long to wait for what must come before it counts as hanging.
    public func violations(
        rounds: Int = 100, depth: Int = 100_000, patience: Duration = .seconds(60)
    ) -> [ContractViolation] {
        require(rounds > 0, "OperatorContract(\(name)): \(rounds) rounds are none")
        require(depth > 0, "OperatorContract(\(name)): the depth \(depth) is none")
        var found: [ContractViolation] = []
        for check in checks {
            let (violations, hangs) = check.run(self, rounds: rounds, depth: depth, patience: patience)
            found += violations
            // What hangs once would hang again and again, and leave threads behind each time. What makes the stack grow would overflow it
            // sooner or later.
            if hangs || violations.contains(where: { $0.details.contains("the stack has grown") }) { break }
        }
        return found
    }
}
