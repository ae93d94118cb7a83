import ReactiveSignals
import ReactiveSignalsTesting

/// Runs a case with the library.
final class ChainRun: @unchecked Sendable {
    // Sendable: created and run by one thread.

    private let chainCase: ChainCase
    private let probes = ContractProbeCounter()
    private let world: World
    private var inputs: (source: IntSignal.Observer?, other: IntSignal.Observer?, ticks: Signal<Int, Never>.Observer?)
    private var traces: [[ChainEvent]] = [[]]
    /// The observation of the result, followed by the added ones.
    private var observations: [SerialDisposable] = [SerialDisposable()]
    /// The source and the result of each step, while they are needed.
    private var chains: [IntChain] = []

    static func outcome(of chainCase: ChainCase) -> Outcome { ChainRun(chainCase).run() }

    private init(_ chainCase: ChainCase) {
        self.chainCase = chainCase
        let contention: Contention = chainCase.enqueues ? .enqueue : .wait
        let (source, other) = (IntSignal.pipe(contention: contention), IntSignal.pipe(contention: contention))
        let ticks = Signal<Int, Never>.pipe(contention: contention)
        inputs = (source.input, other.input, ticks.input)
        world = World(
            probes.probe(), source: .signal(source.output), other: .signal(other.output),
            ticks: .signal(ticks.output))
    }

    private func run() -> Outcome {
        for act in chainCase.early { perform(act) }
        build()
        let lastObserved = chainCase.script.lastIndex { if case .observe = $0 { true } else { false } }
        for (index, act) in chainCase.script.enumerated() {
            if index > lastObserved ?? -1 { chains = [] }
            perform(act)
        }
        chains = []
        for observation in observations { observation.dispose() }
        // The inputs, the scheduler and the disposables still exist.
        return Outcome(traces: traces, notes: world.notes, alive: probes.alive - 1)
    }

    private func build() {
        var chain = world.source
        chains = [chain]
        for step in chainCase.steps {
            chain = step.apply(chain, world)
            chains.append(chain)
        }
        world.forget()
        observe(chain, number: 0)
    }

    private func observe(_ chain: IntChain, number: Int) {
        guard case .signal(let signal) = chain else { return }
        let probe = probes.probe()
        observations[number].inner = signal.observe { [self] event in
            traces[number].append(probe.see(event))
            guard number == 0 else { return }
            for act in chainCase.reaction(to: traces[0].count - 1) { perform(act) }
        }
    }

    /// Removes the input before its observers are notified.
    private func release(_ input: Input) {
        let released: Any?
        switch input {
        case .source: released = inputs.source.take()
        case .other: released = inputs.other.take()
        case .ticks: released = inputs.ticks.take()
        case .inner: released = nil
        }
        withExtendedLifetime(released) {}
    }

    private func perform(_ act: Act) {
        switch act {
        case .send(.source, let event): inputs.source?.send(event)
        case .send(.other, let event): inputs.other?.send(event)
        case .send(.ticks, let event):
            if let event = event.withoutError { inputs.ticks?.send(event) }
        case .send(.inner, _): break
        case .release(let input): release(input)
        case .advance(let units): world.clock.advance(by: .nanoseconds(units * Span.unit))
        case .dispose: observations[0].dispose()
        case .observe(let count):
            traces.append([])
            observations.append(SerialDisposable())
            observe(chains[min(count, chains.count - 1)], number: traces.count - 1)
        }
    }
}

extension ChainEvent {
    fileprivate var withoutError: Event<Int, Never>? {
        switch self {
        case .next(let value): .next(value)
        case .error: nil
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }
}
