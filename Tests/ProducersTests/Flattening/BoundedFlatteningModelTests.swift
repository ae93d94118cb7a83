import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("random scripts of inner streams, of which a limited number may wait", .watched)
struct BoundedFlatteningModelTests {
    /// Draws a strategy, and its model.
    private func strategy(_ random: inout SplitMix64) -> (FlattenStrategy, FlatteningModel) {
        let limit = random.number(in: 1...3)
        let waiting = random.number(in: 0...3)
        let overflow = random.pick([Overflow.dropOldest, .dropOldest, .dropNewest, .dropNewest, .fail])
        var model: FlatteningModel
        let strategy: FlattenStrategy
        switch random.number(in: 0...2) {
        case 0:
            model = FlatteningModel(.concurrent(limit: 1))
            strategy = .concat(waiting: waiting, whenFull: overflow)
        case 1:
            model = FlatteningModel(.concurrent(limit: limit))
            strategy = .concurrent(limit: limit, waiting: waiting, whenFull: overflow)
        default:
            model = FlatteningModel(.ordered(limit: limit))
            strategy = .concurrent(limit: limit, ordered: true, waiting: waiting, whenFull: overflow)
        }
        model.waitingLimit = waiting
        model.overflow = overflow
        return (strategy, model)
    }

    /// Runs random steps against the model, and returns how many, or `nil` if something differs.
    private func run(seed: UInt64) -> Int? {
        var random = SplitMix64(seed: seed)
        var (strategy, model) = strategy(&random)
        let isSignal = random.once(in: 2)
        let streams = ScriptedStreams()
        defer { streams.releaseAll() }
        let (outer, input) = Signal<Int, TestError>.pipe()
        let disposable: (any Disposable)?
        if isSignal {
            disposable = outer.flatMap(strategy, raising: .second) { streams.make($0) }
                .observe { streams.events.append($0) }
        } else {
            disposable = SignalProducer(outer).flatMap(strategy, raising: .second) { streams.make($0) }
                .start { streams.events.append($0) }
        }
        var outerHasEnded = false
        var lastStream = 0
        var signals: Set<Int> = []
        var remaining = 300
        var steps = 0
        while remaining > 0 {
            steps += 1
            remaining -= 1
            let recent = max(1, random.number(in: (lastStream - 7)...max(1, lastStream)))
            switch random.number(in: 0...199) {
            case 0..<70:
                lastStream += 1
                let stream = random.stream(lastStream, isHot: true)
                streams.add(stream)
                if stream.kind == .hot { signals.insert(lastStream) }
                if !outerHasEnded, !model.hasEnded { model.steps.append(.made(lastStream)) }
                input.sendNext(lastStream)
                if !outerHasEnded { model.add(stream) }
            case 70..<145:
                let value = recent * 1_000 + steps
                streams.send(.next(value), from: recent)
                model.receive(.next(value), from: recent)
            case 145..<195:
                let event = random.once(in: 5) ? .interrupted : Event<Int, TestError>.completed
                streams.send(event, from: recent)
                model.receive(event, from: recent)
                if signals.contains(recent) { model.endSignal(recent) }
            case 195:
                guard random.once(in: 4) else { break }
                streams.send(.error(.first), from: recent)
                model.receive(.error(.first), from: recent)
                if signals.contains(recent) { model.endSignal(recent) }
            case 196 where random.once(in: 2):
                disposable?.dispose()
                model.end(isSignal ? nil : .interrupted)
            case 197 where !outerHasEnded:
                outerHasEnded = true
                let event = random.pick([Event<Int, TestError>.completed, .completed, .error(.first), .interrupted])
                input.send(event)
                if !event.isCompleted { model.end(event) }
            default: break
            }
            if outerHasEnded, model.isDone { model.end(.completed) }
            let what = "seed \(seed), step \(steps), \(strategy)"
            guard streams.agree(&model.events, &model.steps, inAnyOrder: model.hasEnded, what) else { return nil }
            // A few more steps, which change nothing.
            if model.hasEnded { remaining = min(remaining, 10) }
        }
        disposable?.dispose()
        input.sendInterrupted()
        return steps
    }

    @Test("agree with the model about what starts, what is dropped and what is received")
    func model() { runScripts(run) }
}
