import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// What flattening per key must do.
private struct KeyedModel {
    let maxKeys: Int
    let overflow: Overflow
    let idle: Int
    /// The model of a key on which nothing has happened.
    let fresh: FlatteningModel
    var now = 0
    private var lanes: [Int: FlatteningModel] = [:]
    /// The keys that are idle since some time, and those that have been idle the longest first.
    private var idleKeys: [(key: Int, since: Int)] = []
    /// The keys in the order of their last use.
    private var used: [Int] = []
    var outerHasCompleted = false
    private(set) var hasEnded = false
    var events: [Event<Int, TestError>] = []
    var steps: [StreamStep] = []

    init(maxKeys: Int, overflow: Overflow, idle: Int, fresh: FlatteningModel) {
        self.maxKeys = maxKeys
        self.overflow = overflow
        self.idle = idle
        self.fresh = fresh
    }

    mutating func add(_ stream: ScriptedStream, key: Int) {
        guard !hasEnded, !outerHasCompleted else { return }
        if lanes[key] == nil, lanes.count >= maxKeys {
            switch overflow {
            case .fail: return end(.error(.second))
            case .dropOldest: forget(idleKeys.first?.key ?? used[0])
            default: return
            }
        }
        idleKeys.removeAll { $0.key == key }
        used.removeAll { $0 == key }
        used.append(key)
        steps.append(.made(stream.number))
        change(key) { $0.add(stream) }
    }

    mutating func receive(_ event: Event<Int, TestError>, from number: Int, key: Int) {
        guard lanes[key] != nil else { return }
        change(key) { $0.receive(event, from: number) }
    }

    private mutating func change(_ key: Int, _ change: (inout FlatteningModel) -> Void) {
        var lane = lanes[key] ?? fresh
        change(&lane)
        events += lane.events
        steps += lane.steps
        lane.events = []
        lane.steps = []
        lanes[key] = lane
        if lane.hasEnded { return end(nil) }
        if lane.isDone, !idleKeys.contains(where: { $0.key == key }) {
            if idle == 0 { forget(key) } else { idleKeys.append((key, now)) }
        }
        completeIfDone()
    }

    mutating func completeIfDone() {
        if outerHasCompleted, !hasEnded, lanes.values.allSatisfy(\.isDone) { end(.completed) }
    }

    private mutating func forget(_ key: Int) {
        lanes[key]?.stop()
        steps += lanes[key]?.steps ?? []
        lanes[key] = nil
        idleKeys.removeAll { $0.key == key }
        used.removeAll { $0 == key }
    }

    mutating func advance(by seconds: Int) {
        now += seconds
        while let first = idleKeys.first, first.since + idle <= now { forget(first.key) }
    }

    mutating func end(_ event: Event<Int, TestError>?) {
        guard !hasEnded else { return }
        hasEnded = true
        if let event { events.append(event) }
        for key in lanes.keys { forget(key) }
    }
}

@Suite("random scripts of inner streams with keys", .watched)
struct FlatMapPerKeyModelTests {
    private func strategy(_ random: inout SplitMix64) -> (FlattenStrategy, FlatteningModel) {
        switch random.number(in: 0...8) {
        case 0: return (.merge, FlatteningModel(.concurrent(limit: .max)))
        case 1: return (.concat, FlatteningModel(.concurrent(limit: 1)))
        case 2: return (.concurrent(limit: 2), FlatteningModel(.concurrent(limit: 2)))
        case 3: return (.concurrent(limit: 2, ordered: true), FlatteningModel(.ordered(limit: 2)))
        case 4: return (.latest, FlatteningModel(.latest))
        case 5: return (.race, FlatteningModel(.race))
        case 6: return (.throttle, FlatteningModel(.throttle))
        default:
            let overflow = random.pick([Overflow.dropOldest, .dropNewest, .fail])
            var model = FlatteningModel(.concurrent(limit: 1))
            model.waitingLimit = random.number(in: 0...2)
            model.overflow = overflow
            return (.concat(waiting: model.waitingLimit, whenFull: overflow), model)
        }
    }

    /// Runs random steps against the model, and returns how many, or `nil` if something differs.
    private func run(seed: UInt64) -> Int? {
        var random = SplitMix64(seed: seed)
        let (strategy, fresh) = strategy(&random)
        let overflow = random.pick([Overflow.dropOldest, .dropOldest, .dropNewest, .dropNewest, .fail])
        var model = KeyedModel(
            maxKeys: random.number(in: 1...4), overflow: overflow, idle: random.number(in: 0...4), fresh: fresh)
        let isSignal = random.once(in: 2)
        let scheduler = TestScheduler()
        let streams = ScriptedStreams()
        defer { streams.releaseAll() }
        let (outer, input) = Signal<Int, TestError>.pipe()
        let disposable: (any Disposable)?
        // The key of a stream is the remainder of its number.
        if isSignal {
            disposable = outer.flatMap(
                perKey: { $0 % 10 }, strategy, idle: .seconds(model.idle), maxKeys: model.maxKeys, whenFull: overflow,
                raising: .second, on: scheduler
            ) { streams.make($0) }.observe { streams.events.append($0) }
        } else {
            disposable = SignalProducer(outer).flatMap(
                perKey: { $0 % 10 }, strategy, idle: .seconds(model.idle), maxKeys: model.maxKeys, whenFull: overflow,
                raising: .second, on: scheduler
            ) { streams.make($0) }.start { streams.events.append($0) }
        }
        var outerHasEnded = false
        var numbers = [1]
        var remaining = 300
        var steps = 0
        while remaining > 0 {
            steps += 1
            remaining -= 1
            let recent = random.pick(numbers.suffix(8))
            let draw = random.number(in: 0...199)
            switch draw {
            case 0..<70:
                let number = steps * 10 + random.number(in: 0...5)
                numbers.append(number)
                let stream = random.stream(number, isHot: false)
                streams.add(stream)
                input.sendNext(number)
                if !outerHasEnded { model.add(stream, key: number % 10) }
            case 70..<120:
                let value = recent * 1_000 + steps
                streams.send(.next(value), from: recent)
                model.receive(.next(value), from: recent, key: recent % 10)
            case 120..<170:
                let event = random.once(in: 15) ? .interrupted : Event<Int, TestError>.completed
                streams.send(event, from: recent)
                model.receive(event, from: recent, key: recent % 10)
            case 170..<195:
                let seconds = random.number(in: 1...2)
                scheduler.advance(by: .seconds(seconds))
                model.advance(by: seconds)
            case 195:
                guard random.once(in: 4) else { break }
                streams.send(.error(.first), from: recent)
                model.receive(.error(.first), from: recent, key: recent % 10)
            case 196 where random.once(in: 2):
                disposable?.dispose()
                model.end(isSignal ? nil : .interrupted)
            case 197 where !outerHasEnded:
                outerHasEnded = true
                let event = random.pick([Event<Int, TestError>.completed, .completed, .error(.first), .interrupted])
                input.send(event)
                model.outerHasCompleted = event.isCompleted
                if event.isCompleted { model.completeIfDone() } else { model.end(event) }
            default: break
            }
            let what = "seed \(seed), step \(steps), \(strategy), \(overflow), draw \(draw), signal \(isSignal)"
            // No order is promised among the streams of separate keys when the result ends.
            guard streams.agree(&model.events, &model.steps, inAnyOrder: model.hasEnded, what) else { return nil }
            if model.hasEnded { remaining = min(remaining, 10) }
        }
        disposable?.dispose()
        input.sendInterrupted()
        let now = scheduler.now
        scheduler.run()
        expect(scheduler.now == now, is: true, "seed \(seed): no timer is left")
        return steps
    }

    @Test("agree with the model about what starts, what is dropped, what is forgotten and what is received")
    func model() { runScripts(run) }
}
