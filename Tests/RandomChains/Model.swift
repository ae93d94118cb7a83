import ReactiveSignals

/// What happens to a model of an operator.
enum ModelInput {
    case event(ChainEvent)
    /// An event of the other signal that the operator takes.
    case partner(ChainEvent)
    case timer
}

/// What follows from it, in order.
enum ModelEffect {
    case send(ChainEvent)
    /// A timer that goes off once, by virtual time in nanoseconds.
    case schedule(after: Int)
    case repeatEvery(Int)
    /// Stops the timers.
    case cancel
}

/// The plain reference of an operator: what it sends for what it receives, one after the other.
///
/// It knows nothing of threads, observers and re-entrancy: see ``ModelNetwork`` for the order in which things happen.
protocol Model {
    /// What it does when it is applied.
    mutating func begin() -> [ModelEffect]
    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect]
    /// Whether the source can still change anything.
    var needsSource: Bool { get }
    /// Whether the partner can.
    var needsPartner: Bool { get }
}

extension Model {
    func begin() -> [ModelEffect] { [] }
    var needsSource: Bool { true }
    var needsPartner: Bool { true }
}

/// An operator on values and ends, with a state.
struct PlainModel<State>: Model {
    var state: State
    let next: (inout State, Int) -> [ChainEvent]
    let end: (State, ChainEvent) -> [ChainEvent]

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        guard case .event(let event) = input else { return [] }
        return (event.value.map { next(&state, $0) } ?? end(state, event)).map { .send($0) }
    }
}

/// An operator with a partner.
struct PartnerModel<State>: Model {
    var state: State
    let source: (inout State, ChainEvent) -> [ChainEvent]
    let partner: (inout State, ChainEvent) -> [ChainEvent]
    var needs: (State) -> Bool = { _ in true }
    var needsOther: (State) -> Bool = { _ in true }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        switch input {
        case .event(let event): source(&state, event).map { .send($0) }
        case .partner(let event): partner(&state, event).map { .send($0) }
        case .timer: []
        }
    }

    var needsSource: Bool { needs(state) }
    var needsPartner: Bool { needsOther(state) }
}
