import ReactiveSignals
import TestSupport

/// The model of a flatten strategy.
enum ModelStrategy: Sendable, CustomStringConvertible {
    case concurrent(limit: Int)
    case latest, race, throttle

    static func random(_ random: inout Choices) -> ModelStrategy {
        random.pick(
            [
                .concurrent(limit: .max), .concurrent(limit: 1), .concurrent(limit: 2), .latest, .latest, .race,
                .throttle,
            ])
    }

    var real: FlattenStrategy {
        switch self {
        case .concurrent(.max): .merge
        case .concurrent(1): .concat
        case .concurrent(let limit): .concurrent(limit: limit)
        case .latest: .latest
        case .race: .race
        case .throttle: .throttle
        }
    }

    var description: String { real.description }
}

/// The model of flattening: the active and the waiting inner streams.
final class ModelFlattening {
    let result: ModelSignal
    private let strategy: ModelStrategy
    private var outerHasCompleted = false
    /// Whether an inner stream has ended the result, whose end may still be behind other events.
    private var isStopped = false
    private var waiting: [ModelProducer] = []
    /// The numbers of the inner streams whose events count.
    private var active: Set<Int> = []
    /// The numbers of those whose end is being received. They keep working until that is over.
    private var ending: Set<Int> = []
    private var last = 0
    /// The latest stream, or the winner of the race.
    private var chosen: Int?
    private var isBeginning = false

    init(_ strategy: ModelStrategy, _ stage: ModelStage) {
        self.strategy = strategy
        result = stage.network.signal(ModelGate())
    }

    // MARK: The outer stream

    func add(_ inner: ModelProducer) {
        guard mayBegin else { return }
        switch strategy {
        case .concurrent: break
        case .latest: supersede()
        case .race: if chosen != nil { return }
        case .throttle: if !active.isEmpty || !waiting.isEmpty { return }
        }
        waiting.append(inner)
        beginWaiting()
    }

    func endOuter(_ event: ChainEvent) {
        guard event.isCompleted else { return result.send(event) }
        outerHasCompleted = true
        completeIfDone()
    }

    // MARK: Inner streams

    /// Active streams continue until every receiver has received the result's end, but no new ones start.
    private var mayBegin: Bool { !isStopped && !result.hasEnded && result.isWanted }

    private var hasRoom: Bool {
        switch strategy {
        case .concurrent(let limit): active.count < limit
        case .race: chosen == nil
        case .latest, .throttle: true
        }
    }

    /// A stream that starts while another is still starting waits for that.
    private func beginWaiting() {
        guard !isBeginning else { return }
        isBeginning = true
        while mayBegin, hasRoom, !waiting.isEmpty { begin(waiting.removeFirst()) }
        isBeginning = false
    }

    private func begin(_ inner: ModelProducer) {
        if case .latest = strategy { supersede() }
        last += 1
        let number = last
        active.insert(number)
        if case .latest = strategy { chosen = number }
        let start = inner.prepare()
        let isWanted = { [self] in (active.contains(number) || ending.contains(number)) && result.isWanted }
        start.signal.observe(
            ModelSignal.Receiver(isWanted: isWanted) { [self] event in
                guard event.isTerminating else { return send(event, from: number) }
                if active.contains(number) { ending.insert(number) }
                end(event, of: number)
                ending.remove(number)
            })
        start.begin()
    }

    private func supersede() {
        active = []
        ending = []
        chosen = nil
    }

    private func send(_ event: ChainEvent, from number: Int) {
        switch strategy {
        case .concurrent, .throttle: result.send(event)
        case .latest: result.gate.enter { [self] in if chosen == number { result.deliver(event) } }
        case .race: if wins(number) { result.send(event) }
        }
    }

    private func end(_ event: ChainEvent, of number: Int) {
        if case .race = strategy, !wins(number) { return }
        switch (event, strategy) {
        // No other stream starts any more: with `.latest`, it would supersede the one that ends the result.
        case (.error, _), (.interrupted, .race), (.interrupted, .throttle):
            isStopped = true
            result.send(event)
        default:
            active.remove(number)
            completeIfDone()
            beginWaiting()
        }
    }

    private func wins(_ number: Int) -> Bool {
        if chosen == nil {
            chosen = number
            active = [number]
            ending = ending.intersection([number])
            waiting = []
        }
        return chosen == number
    }

    private func completeIfDone() {
        if outerHasCompleted, active.isEmpty, waiting.isEmpty { result.send(.completed) }
    }
}
