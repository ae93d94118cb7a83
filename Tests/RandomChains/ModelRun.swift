import ReactiveSignals

/// Runs a case with the model.
final class ModelRun {
    private let chainCase: ChainCase
    private let network = ModelNetwork(holdsSignals: true)
    private var traces: [[ChainEvent]] = [[]]
    private var isDisposed = false
    private var signals: [ModelSignal] = []

    /// The expected outcome, or nil if it is not determined: see ``VirtualClock/isAmbiguous``.
    static func outcome(of chainCase: ChainCase) -> Outcome? { ModelRun(chainCase).run() }

    private init(_ chainCase: ChainCase) { self.chainCase = chainCase }

    private func run() -> Outcome? {
        defer { network.dismantle() }
        for act in chainCase.early { perform(act) }
        signals = [network.source]
        for step in chainCase.steps { signals.append(network.apply(step, to: signals[signals.count - 1])) }
        observe(signals[signals.count - 1], number: 0)
        let lastObserved = chainCase.script.lastIndex { if case .observe = $0 { true } else { false } }
        for (index, act) in chainCase.script.enumerated() {
            if index > lastObserved ?? -1 { for signal in signals { signal.isHeld = false } }
            perform(act)
        }
        return network.clock.isAmbiguous ? nil : Outcome(traces: traces, notes: network.notes)
    }

    private func observe(_ signal: ModelSignal, number: Int) {
        let isWanted = { [unowned self] in number > 0 || !isDisposed }
        signal.observe(
            ModelSignal.Receiver(isWanted: isWanted) { [unowned self] event in
                traces[number].append(event)
                guard number == 0 else { return }
                for act in chainCase.reaction(to: traces[0].count - 1) { perform(act) }
            })
    }

    private func perform(_ act: Act) {
        switch act {
        case .send(let input, let event):
            if input == .ticks, case .error = event { return }
            signal(of: input).send(event)
        case .release(let input): signal(of: input).send(.interrupted)
        case .advance(let units): network.clock.advance(by: units * Span.unit)
        case .dispose: isDisposed = true
        case .observe(let count):
            traces.append([])
            observe(signals[min(count, signals.count - 1)], number: traces.count - 1)
        }
    }

    private func signal(of input: Input) -> ModelSignal {
        switch input {
        case .source: network.source
        case .other: network.other
        case .ticks, .inner: network.ticks
        }
    }
}
