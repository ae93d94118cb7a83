import ReactiveSignals

/// The model of a producer.
struct ModelProducer {
    /// Creates a start whose work has not begun.
    let prepare: () -> ModelStart
}

/// The model of a start: the signal of its events, and its work.
struct ModelStart {
    let signal: ModelSignal
    let work: () -> Void

    init(_ signal: ModelSignal, work: @escaping () -> Void) {
        self.signal = signal
        self.work = work
    }

    /// Starts the work if its signal is still needed.
    func begin() {
        if signal.isWanted { work() }
    }
}

/// The models of the producers of a chain.
final class ModelStage {
    let network: ModelNetwork
    var source: ModelProducer?
    var other: ModelProducer?
    var ticks: ModelProducer?
    private var starts: [ModelSignal] = []
    private var driven: [Input: [ModelSignal]] = [:]
    private var pipes: [Input: ModelSignal] = [:]
    private(set) var pulled = 0

    init(_ network: ModelNetwork) { self.network = network }

    /// Releases the parts of the chain, some of which retain this stage.
    func dismantle() {
        (source, other, ticks) = (nil, nil, nil)
        network.dismantle()
    }

    var counter: Tally { Tally(started: starts.count, active: starts.count { $0.isWanted }, pulled: pulled) }

    // MARK: Sources

    /// A start that is counted when its work begins.
    func counted(_ signal: ModelSignal, _ work: @escaping () -> Void) -> ModelStart {
        ModelStart(signal) {
            self.starts.append(signal)
            work()
        }
    }

    /// Sends elements while the signal is needed.
    func send(_ values: some Sequence<Int>, to signal: ModelSignal) {
        var values = values.makeIterator()
        while signal.isWanted {
            pulled += 1
            guard let value = values.next() else { return signal.send(.completed) }
            signal.send(.next(value))
        }
    }

    func pull() { pulled += 1 }

    /// Whether a hot signal's delivery reached a receiver after an earlier one had ended it: see
    /// ``ProducerOutcome/agrees(with:in:)``.
    var hadLateReceivers: Bool { pipes.values.contains { $0.hasLostReceivers } }

    func keep(_ signal: ModelSignal, as input: Input) { driven[input, default: []].append(signal) }

    func pipe(_ input: Input) -> ModelSignal {
        if let pipe = pipes[input] { return pipe }
        let pipe = network.signal(ModelGate())
        pipe.isHeld = true
        pipes[input] = pipe
        return pipe
    }

    func send(_ event: ChainEvent, into input: Input) {
        pipes[input]?.send(event)
        for signal in driven[input] ?? [] { signal.send(event) }
    }

    func release(_ input: Input) {
        let released = driven[input] ?? []
        driven[input] = []
        pipes[input]?.send(.interrupted)
        for signal in released { signal.send(.interrupted) }
    }

    // MARK: Operators

    /// A start with a separate gate for its events, like that of an operator applied to the signals of a start.
    func lifted(_ start: ModelStart) -> ModelStart {
        let signal = network.signal(ModelGate())
        start.signal.observe(ModelSignal.Receiver(isWanted: { signal.isWanted }) { signal.send($0) })
        return ModelStart(signal) { start.begin() }
    }

    /// The model of a step that signals also have.
    func apply(_ step: Step, to upstream: ModelProducer) -> ModelProducer {
        if step.makeModel() is EndedModel { return ended(.completed) }
        return ModelProducer { [self] in
            let start = step.isLifted ? lifted(upstream.prepare()) : upstream.prepare()
            let partnerStart = step.partner.map { lifted(partner(step.hasTrigger, $0)) }
            let result = network.apply(step, to: start.signal, with: partnerStart?.signal)
            return ModelStart(result) {
                if step.observesPartnerFirst { partnerStart?.begin() }
                start.begin()
                if !step.observesPartnerFirst { partnerStart?.begin() }
            }
        }
    }

    func ended(_ event: ChainEvent) -> ModelProducer {
        ModelProducer { [self] in
            let signal = network.signal(ModelGate())
            return ModelStart(signal) { signal.send(event) }
        }
    }

    private func partner(_ isTrigger: Bool, _ partner: Partner) -> ModelStart {
        var start: ModelStart?
        switch partner {
        case .other: start = isTrigger ? ticks?.prepare() : other?.prepare()
        case .source: start = source?.prepare()
        case .multiples(let modulus):
            start = source?.prepare()
            start = start.map { start in
                ModelStart(network.multiples(of: modulus, in: start.signal)) { start.begin() }
            }
        }
        guard let start else { fatalError("no source yet") }
        return isTrigger ? ModelStart(network.withoutError(start.signal)) { start.begin() } : start
    }
}
