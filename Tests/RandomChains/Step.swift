import ReactiveSignals
import TestSupport

/// The other signal of an operator that takes one.
enum Partner: Sendable, CustomStringConvertible {
    /// A separate signal.
    case other
    /// The source of the chain.
    case source
    /// The source's values that are multiples.
    case multiples(Int)

    var description: String {
        switch self {
        case .other: "other"
        case .source: "source"
        case .multiples(let modulus): "source.multiples(\(modulus))"
        }
    }

    static func random(_ random: inout Choices) -> Partner {
        switch random.number(in: 0...5) {
        case 0: .source
        case 1: .multiples(random.number(in: 2...3))
        default: .other
        }
    }
}

/// One operator in a chain: how to apply it, and its model.
struct Step: Sendable, CustomStringConvertible {
    /// The gate that serializes the result, which determines what a re-entrant send waits for.
    enum Gate { case shared, own }

    let description: String
    let gate: Gate
    let partner: Partner?
    /// Whether the partner cannot fail.
    let hasTrigger: Bool
    /// Whether the partner is observed before the source.
    let observesPartnerFirst: Bool
    let apply: @Sendable (IntChain, World) -> IntChain
    let makeModel: @Sendable () -> any Model
    /// Whether the events that it receives are noted.
    let isNoted: Bool
    /// Whether the operator on producers applies the operator on signals to the signals of a start.
    let isLifted: Bool

    /// A step that shares its source's gate.
    init<State: Sendable>(
        _ description: String, isNoted: Bool = false, _ apply: @escaping @Sendable (IntChain, World) -> IntChain,
        state: State, next: @escaping @Sendable (inout State, Int) -> [ChainEvent],
        end: @escaping @Sendable (State, ChainEvent) -> [ChainEvent] = { [$1] }
    ) {
        self.init(description, gate: .shared, isNoted: isNoted, isLifted: false, apply) {
            PlainModel(state: state, next: next, end: end)
        }
    }

    init(
        _ description: String, gate: Gate, partner: Partner? = nil, hasTrigger: Bool = false,
        observesPartnerFirst: Bool = false, isNoted: Bool = false, isLifted: Bool = true,
        _ apply: @escaping @Sendable (IntChain, World) -> IntChain,
        makeModel: @escaping @Sendable () -> any Model
    ) {
        self.description = description
        self.gate = gate
        self.partner = partner
        self.hasTrigger = hasTrigger
        self.observesPartnerFirst = observesPartnerFirst
        self.apply = apply
        self.makeModel = makeModel
        self.isNoted = isNoted
        self.isLifted = isLifted
    }

    /// Draws a step.
    ///
    /// - Parameter position: Its position in the chain.
    static func random(_ random: inout Choices, position: Int) -> Step {
        switch random.number(in: 0...9) {
        case 0...4: random.pick(plainSteps)(&random)
        case 5...7: random.pick(partnerSteps)(&random)
        default: random.pick(timedSteps)(&random, position)
        }
    }
}
