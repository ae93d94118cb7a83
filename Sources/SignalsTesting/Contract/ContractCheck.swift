import HotSignals
import ReactiveSignals

/// One rule of the contract, and how to see whether an operator keeps it.
package struct ContractCheck: Sendable {
    package typealias Numbers = OperatorContract.Numbers
    package typealias Cold = OperatorContract.NumbersProducer

    /// Which operators a check is for.
    enum Audience: Sendable {
        case all
        case synchronous
        case transparent
        case transparentAndSynchronous
        case limited
        /// The operators on producers.
        case cold
        /// Those of them that send the values of a source that sends in its start, and ask it for no more than is taken.
        case frugal
        /// Those of which the values are known.
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
    /// Whether it finds more the more rounds there are.
    package let isRace: Bool
    /// Whether it uses several threads, whatever the operator does.
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

    /// The stack first: what recurses may end the process in another check.
    package static let all =
        stack + events + order + nesting + work + disposal + cancellation + quiet + lifetimes + waiting + starts + model

    package func applies(_ contract: OperatorContract) -> Bool { audience.contains(contract) }

    /// Runs the check on a thread of its own, and returns what it finds, and whether it hangs.
    package func run(
        _ contract: OperatorContract, rounds: Int, depth: Int, patience: Duration
    ) -> (violations: [ContractViolation], hangs: Bool) {
        let trial = ContractTrial(contract, rounds: rounds, depth: depth, patience: patience)
        let isOver = Monitor(false)
        startThread(stackSize: 8 << 20) {
            body(trial)
            isOver.withLock { $0 = true }
        }
        // The check's own waits are patient as well: so this one waits longer.
        trial.watch { isOver.wait(atMost: patience * 1.5, until: { $0 }) }
        let violations = trial.found.map {
            ContractViolation(contracts: contracts, rule: rule, details: $0.details, count: $0.count)
        }
        return (violations, trial.isGivenUp)
    }
}

// What the checks are written with.
extension ContractTrial {
    typealias Numbers = OperatorContract.Numbers
    typealias Cold = OperatorContract.NumbersProducer

    /// Applies the operator with a witness that nobody asks.
    func apply(_ source: Numbers) -> Numbers { contract.apply(source, ContractCensus().witness()) }

    func apply(_ source: Numbers, _ witness: ContractWitness) -> Numbers { contract.apply(source, witness) }

    func applyCold(_ source: Cold, _ witness: ContractWitness = ContractCensus().witness()) -> Cold {
        contract.applyCold?(source, witness) ?? source
    }

    /// Expects that what was recorded follows the grammar and has ended, once.
    func expectOneEnd(_ recorder: ContractRecorder, _ circumstances: @autoclosure () -> String) {
        expect(recorder.violations, is: [], circumstances())
        expect(recorder.terminals, is: 1, "\(circumstances()): terminal events")
    }
}
