import ReactiveSignals

/// An input of an operator's model.
enum ModelInput {
    case event(ChainEvent)
    /// An event of the operator's second signal.
    case partner(ChainEvent)
    case timer
}

/// An effect of an input; effects are performed in order.
enum ModelEffect {
    case send(ChainEvent)
    /// A timer that fires once, in nanoseconds of virtual time.
    case schedule(after: Int)
    case repeatEvery(Int)
    /// Stops all timers.
    case cancel
    /// Goes on as if a timer had fired, after the inputs that arrived meanwhile.
    case goOn
}

/// The simple reference of an operator: what it sends for what it receives, one event at a time.
///
/// A model has no threads, observers or re-entrancy. ``ModelNetwork`` determines the order of events.
protocol Model {
    /// The effects of applying the operator.
    mutating func begin() -> [ModelEffect]
    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect]
    /// Whether the source can still have an effect.
    var needsSource: Bool { get }
    /// Whether the partner can still have an effect.
    var needsPartner: Bool { get }
}

extension Model {
    func begin() -> [ModelEffect] { [] }
    var needsSource: Bool { true }
    var needsPartner: Bool { true }
}

/// A stateful operator on values and terminal events.
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
