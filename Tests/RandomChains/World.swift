import ReactiveSignals
import ReactiveSignalsTesting

/// The environment of a real chain's steps.
final class World: @unchecked Sendable {
    // Sendable: created by the thread that runs the chain and reads the notes.

    let clock = TestScheduler()
    /// The sources, if they are producers.
    let stage: Stage
    private(set) var source = IntChain.signal(.never)
    private(set) var other = IntChain.signal(.never)
    private(set) var ticks = HotOrCold<Int, Never>.signal(.never)
    /// The events that the steps noted.
    private(set) var notes: [ChainEvent] = []
    /// Whether further notes are ignored.
    var isDeaf = false
    private let probe: ContractProbe

    init(_ probe: ContractProbe, source: IntChain, other: IntChain, ticks: HotOrCold<Int, Never>) {
        self.probe = probe
        self.source = source
        self.other = other
        self.ticks = ticks
        stage = Stage(clock)
    }

    /// A world of producers.
    init(_ probe: ContractProbe, source: Origin, other: Origin, ticks: Origin) {
        self.probe = probe
        stage = Stage(clock)
        self.source = .producer(source.make(stage))
        self.other = .producer(other.make(stage))
        self.ticks = IntChain.producer(ticks.make(stage)).materializeResults().map { self.see(digest($0)) }
    }

    /// Returns the value. A step's closure calls this to retain the world and thus a probe.
    func see<Value>(_ value: Value) -> Value { value }

    func note(_ event: ChainEvent) {
        if !isDeaf { notes.append(event) }
    }

    func chain(_ partner: Partner) -> IntChain {
        switch partner {
        case .other: other
        case .source: source
        case .multiples(let modulus): source.filter { self.see(isMultiple($0, modulus)) }
        }
    }

    func trigger(_ partner: Partner) -> HotOrCold<Int, Never> {
        if case .other = partner { return ticks }
        return chain(partner).materializeResults().map { self.see(digest($0)) }
    }

    /// Releases the signals once the chain has been built.
    func forget() { (source, other, ticks) = (.signal(.never), .signal(.never), .signal(.never)) }
}
