import HotSignals
import ReactiveSignals

/// A rule of the contract, and a check of whether an operator keeps it.
package struct ContractCheck: Sendable {
    package typealias Numbers = OperatorContract.Numbers
    package typealias Cold = OperatorContract.NumbersProducer

    /// The operators to which a check applies.
    enum Audience: Sendable {
        case all
        case synchronous
        case transparent
        case transparentAndSynchronous
        case limited
        /// Operators on producers.
        case cold
        /// Operators on producers that forward the values of a synchronous source, and request no more than are taken.
        case frugal
        /// Operators that have a model.
        case modeled

        func contains(_ contract: OperatorContract) -> Bool {
            let traits = contract.traits
            return switch self {
            case .all: true
            case .synchronous: !traits.isAsynchronous
            case .transparent: traits.isTransparent
            case .transparentAndSynchronous: traits.isTransparent && !traits.isAsynchronous
            case .limited: traits.limit != nil && !traits.isAsynchronous
            case .cold: contract.applyCold != nil
            case .modeled: traits.model != nil
            case .frugal:
                contract.applyCold != nil && traits.isTransparent && !traits.isAsynchronous
                    && traits.error == .error(ContractError()) && !traits.exhaustsSource
            }
        }
    }

    package let contracts: [Int]
    package let rule: String
    /// Whether more rounds find more.
    package let isRace: Bool
    /// Whether the check uses several threads, whatever the operator does.
    package let usesThreads: Bool
    private let audience: Audience
    private let body: @Sendable (ContractTrial) -> Void

    init(
        _ contracts: Int..., rule: String, for audience: Audience, isRace: Bool = false,
        usesThreads: Bool = false, _ body: @escaping @Sendable (ContractTrial) -> Void
    ) {
        self.contracts = contracts
        self.rule = rule
        self.isRace = isRace
        self.usesThreads = usesThreads || isRace
        self.audience = audience
        self.body = body
    }

    /// The stack checks come first, because an operator that recurses may end the process in another check.
    package static let all =
        stack + events + order + nesting + work + disposal + cancellation + quiet + lifetimes + waiting + starts + model

    package func applies(_ contract: OperatorContract) -> Bool {
        // Point 8 is that disposal stops the source.
        audience.contains(contract) && !(contract.traits.outlivesDisposal && contracts.contains(8))
    }

    /// Runs the check on its own thread. Returns the violations, and whether the check hangs.
    package func run(
        _ contract: OperatorContract, rounds: Int, depth: Int, patience: Duration
    ) -> (violations: [ContractViolation], hangs: Bool) {
        let trial = ContractTrial(contract, rounds: rounds, depth: depth, patience: patience)
        let isOver = Monitor(false)
        startThread(stackSize: 8 << 20) {
            body(trial)
            isOver.withLock { $0 = true }
        }
        // The check's own waits use the same patience, so this wait is longer.
        trial.watch { isOver.wait(atMost: patience * 1.5, until: { $0 }) }
        let violations = trial.found.map {
            ContractViolation(contracts: contracts, rule: rule, details: $0.details, count: $0.count)
        }
        return (violations, trial.isGivenUp)
    }
}

// Helpers of the checks.
extension ContractTrial {
    typealias Numbers = OperatorContract.Numbers
    typealias Cold = OperatorContract.NumbersProducer

    /// Applies the operator with a probe that is not examined.
    func apply(_ source: Numbers) -> Numbers { contract.apply(source, ContractProbeCounter().probe()) }

    func apply(_ source: Numbers, _ probe: ContractProbe) -> Numbers { contract.apply(source, probe) }

    func applyCold(_ source: Cold, _ probe: ContractProbe = ContractProbeCounter().probe()) -> Cold {
        contract.applyCold?(source, probe) ?? source
    }

    /// Expects that the recorded events follow the grammar, with exactly one terminal event.
    func expectOneEnd(_ recorder: ContractRecorder, _ circumstances: @autoclosure () -> String) {
        expect(recorder.violations, is: [], circumstances())
        expect(recorder.terminals, is: 1, "\(circumstances()): terminal events")
    }
}
