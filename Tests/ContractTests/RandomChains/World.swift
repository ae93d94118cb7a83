import ReactiveSignals
import ReactiveSignalsTesting

/// What the steps of a real chain use.
final class World: @unchecked Sendable {
    // Sendable: one thread makes it, runs the chain and asks for the notes.

    let clock = TestScheduler()
    private(set) var source: IntChain?
    private(set) var other: IntChain?
    private(set) var ticks: Signal<Int, Never>?
    /// What the steps noted.
    private(set) var notes: [ChainEvent] = []
    private let witness: Witness

    init(_ witness: Witness, source: IntChain, other: IntChain, ticks: Signal<Int, Never>) {
        self.witness = witness
        self.source = source
        self.other = other
        self.ticks = ticks
    }

    /// What a step's closure returns: so it holds this, and a witness.
    func see<Value>(_ value: Value) -> Value { value }

    func note(_ event: ChainEvent) { notes.append(event) }

    func signal(_ partner: Partner) -> IntChain {
        switch partner {
        case .other: other ?? .never
        case .source: source ?? .never
        case .multiples(let modulus): signal(.source).filter { self.see(isMultiple($0, modulus)) }
        }
    }

    func trigger(_ partner: Partner) -> Signal<Int, Never> {
        if case .other = partner { return ticks ?? .never }
        return signal(partner).materializeResults().map { self.see(digest($0)) }
    }

    /// Lets go of the signals, once the chain has been built.
    func forget() { (source, other, ticks) = (nil, nil, nil) }
}
