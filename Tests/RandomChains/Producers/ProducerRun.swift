import ReactiveSignals
import ReactiveSignalsTesting

/// Runs a case of producers with the library.
final class ProducerRun: @unchecked Sendable {
    // Sendable: created and run by one thread.

    private let chainCase: ProducerCase
    private let probes = ContractProbeCounter()
    private let world: World
    private var outcome = ProducerOutcome()
    private let start = SerialDisposable()

    static func outcome(of chainCase: ProducerCase) -> ProducerOutcome { ProducerRun(chainCase).run() }

    private init(_ chainCase: ProducerCase) {
        self.chainCase = chainCase
        world = World(
            probes.probe(), source: chainCase.source, other: chainCase.other, ticks: chainCase.ticks)
    }

    private func run() -> ProducerOutcome {
        // Retained until the end for the sake of replaying operators.
        var chain: IntProducer? = build()
        chain.map(begin)
        outcome.tallies.append(world.stage.counter)
        for act in chainCase.script {
            perform(act)
            outcome.tallies.append(world.stage.counter)
        }
        dispose()
        // An interruption may also be waiting on the clock.
        world.clock.advance()
        outcome.notes = world.notes.filter { $0 != .interrupted }
        chain = nil
        world.clock.advance()
        outcome.leftActive = world.stage.counter.active
        world.stage.releaseAll()
        outcome.alive = probes.alive - 1
        return outcome
    }

    private func build() -> IntProducer {
        guard case .producer(var chain) = world.source else { fatalError("a world of producers") }
        for step in chainCase.steps { chain = step.apply(chain, world) }
        world.forget()
        return chain
    }

    private func begin(_ chain: IntProducer) {
        let probe = probes.probe()
        let observe = { @Sendable [self] (event: ChainEvent) in
            outcome.trace.append(probe.see(event))
            guard !event.isTerminating else { return }
            for act in chainCase.reaction(to: outcome.trace.count - 1) { perform(act) }
        }
        if chainCase.startsWithSignal {
            chain.startWithSignal { signal, interrupter in
                start.inner = interrupter
                signal.observe(observe)
            }
        } else {
            start.inner = chain.start(observe)
        }
    }

    private func dispose() {
        world.isDeaf = true
        start.dispose()
    }

    private func perform(_ act: Act) {
        switch act {
        case .send(let input, let event): world.stage.send(event, into: input)
        case .release(let input): world.stage.release(input)
        case .advance(let units): world.clock.advance(by: .nanoseconds(units * Span.unit))
        case .dispose: dispose()
        case .observe: break
        }
    }
}
