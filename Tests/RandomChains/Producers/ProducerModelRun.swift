import ReactiveSignals

/// Runs a case of producers with the model.
final class ProducerModelRun {
    private let chainCase: ProducerCase
    private let network = ModelNetwork(holdsSignals: false)
    private let stage: ModelStage
    private var outcome = ProducerOutcome()
    private var hasStarted = false
    private var isDisposed = false

    /// The expected outcome, or nil if it is not determined: see ``ProducerCase/isFixed``.
    ///
    /// Timers due at the same time fire in the order of scheduling: the order in which work starts is part of each
    /// operator's contract.
    static func outcome(of chainCase: ProducerCase) -> ProducerOutcome? {
        chainCase.isFixed ? ProducerModelRun(chainCase).run() : nil
    }

    private init(_ chainCase: ProducerCase) {
        self.chainCase = chainCase
        stage = ModelStage(network)
    }

    private func run() -> ProducerOutcome {
        defer { stage.dismantle() }
        let source = chainCase.source.model(stage)
        stage.source = source
        stage.other = chainCase.other.model(stage)
        stage.ticks = chainCase.ticks.model(stage)
        begin(chainCase.steps.reduce(source) { $1.model($0, stage) })
        outcome.tallies.append(stage.counter)
        for act in chainCase.script {
            perform(act)
            outcome.tallies.append(stage.counter)
        }
        dispose()
        outcome.notes = network.notes.filter { $0 != .interrupted }
        outcome.mayNoteLate = stage.hadLateReceivers
        outcome.lateEvents = network.lateEvents
        outcome.mayWorkLate = network.mayWorkLate
        return outcome
    }

    private func begin(_ chain: ModelProducer) {
        let start = chainCase.startsWithSignal ? stage.lifted(chain.prepare()) : chain.prepare()
        hasStarted = chainCase.startsWithSignal
        start.signal.observe(
            ModelSignal.Receiver(isWanted: { [unowned self] in !(isDisposed && hasStarted) }) { [unowned self] event in
                outcome.trace.append(event)
                guard !event.isTerminating else { return }
                for act in chainCase.reaction(to: outcome.trace.count - 1) { perform(act) }
            })
        start.begin()
        hasStarted = true
        if isDisposed { interrupt() }
    }

    /// The disposable does not exist until `start` has returned it.
    private func dispose() {
        network.isDeaf = true
        if isDisposed { return }
        isDisposed = true
        if hasStarted { interrupt() }
    }

    private func interrupt() {
        if outcome.trace.last?.isTerminating != true { outcome.trace.append(.interrupted) }
    }

    private func perform(_ act: Act) {
        switch act {
        case .send(let input, let event): stage.send(event, into: input)
        case .release(let input): stage.release(input)
        case .advance(let units): network.clock.advance(by: units * Span.unit)
        case .dispose: dispose()
        case .observe: break
        }
    }
}
