import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

private typealias IntEvent = Event<Int, TestError>

/// What an expansion must do. The number of a value is that of the stream that is made of it.
private protocol ExpansionModel {
    var events: [IntEvent] { get set }
    var steps: [StreamStep] { get set }
    var hasEnded: Bool { get }
    /// - Parameter number: The stream that sends the event: 0 is the source.
    mutating func receive(_ event: IntEvent, from number: Int)
    mutating func end(_ event: IntEvent?)
}

/// The streams that are made of the values.
private typealias Streams = [Int: ScriptedStream]

private struct BreadthModel: ExpansionModel {
    let limit: Int
    let waitingLimit: Int
    let overflow: Overflow
    let streams: Locked<Streams>
    private var running: [ScriptedStream] = []
    private var waiting: [ScriptedStream] = []
    private var isStarting = false
    private var sourceHasEnded = false
    private(set) var hasEnded = false
    var events: [IntEvent] = []
    var steps: [StreamStep] = []

    init(limit: Int, waiting: Int, overflow: Overflow, streams: Locked<Streams>) {
        self.limit = limit
        waitingLimit = waiting
        self.overflow = overflow
        self.streams = streams
    }

    private var isFull: Bool {
        waitingLimit < .max && limit < .max && running.count + waiting.count >= limit + waitingLimit
    }

    mutating func receive(_ event: IntEvent, from number: Int) {
        guard !hasEnded, number == 0 ? !sourceHasEnded : running.contains(where: { $0.number == number }) else {
            return
        }
        switch event {
        case .next(let value):
            events.append(event)
            steps.append(.made(value))
            if let stream = streams.withLock({ $0[value] }) { add(stream) }
        case .error: end(event)
        case .interrupted where number == 0: end(event)
        case .completed, .interrupted:
            if number == 0 { sourceHasEnded = true }
            for stream in running where stream.number == number && stream.kind == .manual {
                steps.append(.stopped(number))
            }
            running.removeAll { $0.number == number }
            if !isStarting { startWaiting() }
            if sourceHasEnded, running.isEmpty, waiting.isEmpty { end(.completed) }
        }
    }

    private mutating func add(_ stream: ScriptedStream) {
        if stream.isEmpty { return }
        if isFull {
            switch overflow {
            case .fail: return end(.error(.second))
            case .dropOldest:
                guard waitingLimit > 0, !waiting.isEmpty else { return }
                waiting.removeFirst()
            default: return
            }
        }
        waiting.append(stream)
        if !isStarting { startWaiting() }
    }

    private mutating func startWaiting() {
        isStarting = true
        while !hasEnded, running.count < limit, !waiting.isEmpty {
            let stream = waiting.removeFirst()
            running.append(stream)
            if stream.kind == .manual { steps.append(.started(stream.number)) }
            for event in stream.beginning { receive(event, from: stream.number) }
        }
        isStarting = false
    }

    mutating func end(_ event: IntEvent?) {
        guard !hasEnded else { return }
        hasEnded = true
        if let event { events.append(event) }
        for stream in running where stream.kind == .manual { steps.append(.stopped(stream.number)) }
        running = []
        waiting = []
    }
}

private struct DepthModel: ExpansionModel {
    struct Level {
        let number: Int
        let isManual: Bool
        var waiting: [(arrival: Int, value: Int)] = []
        var hasEnded = false
    }

    let waitingLimit: Int
    let overflow: Overflow
    let streams: Locked<Streams>
    private var levels = [Level(number: 0, isManual: false)]
    private var isBusy = false
    private var arrivals = 0
    private(set) var hasEnded = false
    var events: [IntEvent] = []
    var steps: [StreamStep] = []

    init(waiting: Int, overflow: Overflow, streams: Locked<Streams>) {
        waitingLimit = waiting
        self.overflow = overflow
        self.streams = streams
    }

    mutating func receive(_ event: IntEvent, from number: Int) {
        guard !hasEnded, let index = levels.firstIndex(where: { $0.number == number }), !levels[index].hasEnded else {
            return
        }
        switch event {
        case .next(let value):
            arrivals += 1
            levels[index].waiting.append((arrivals, value))
            limit()
            if !isBusy { goOn() }
        case .error: end(event)
        case .interrupted where number == 0: end(event)
        case .completed, .interrupted:
            levels[index].hasEnded = true
            if levels[index].isManual { steps.append(.stopped(number)) }
            if !isBusy { goOn() }
        }
    }

    /// The values that wait, without the one that is the next to be sent.
    private var waiting: [(level: Int, arrival: Int)] {
        let top = levels.indices.last
        return levels.indices.flatMap { index in
            levels[index].waiting.dropFirst(index == top ? 1 : 0).map { (level: index, arrival: $0.arrival) }
        }
    }

    private mutating func limit() {
        let waiting = waiting
        guard waiting.count > waitingLimit else { return }
        let ordered = waiting.sorted { $0.arrival < $1.arrival }
        switch overflow {
        case .fail: end(.error(.second))
        case .dropOldest: remove(ordered[0])
        default: remove(ordered[ordered.count - 1])
        }
    }

    private mutating func remove(_ value: (level: Int, arrival: Int)) {
        levels[value.level].waiting.removeAll { $0.arrival == value.arrival }
    }

    private mutating func goOn() {
        isBusy = true
        while !hasEnded {
            levels.removeAll { $0.hasEnded && $0.waiting.isEmpty }
            guard let top = levels.indices.last else {
                end(.completed)
                break
            }
            guard !levels[top].waiting.isEmpty else { break }
            let value = levels[top].waiting.removeFirst().value
            levels.removeAll { $0.hasEnded && $0.waiting.isEmpty }
            events.append(.next(value))
            steps.append(.made(value))
            guard let stream = streams.withLock({ $0[value] }) else { continue }
            if stream.isEmpty { continue }
            levels.append(Level(number: value, isManual: stream.kind == .manual))
            if stream.kind == .manual { steps.append(.started(value)) }
            for event in stream.beginning { receive(event, from: value) }
        }
        isBusy = false
    }

    mutating func end(_ event: IntEvent?) {
        guard !hasEnded else { return }
        hasEnded = true
        if let event { events.append(event) }
        for level in levels where level.isManual && !level.hasEnded { steps.append(.stopped(level.number)) }
        levels = []
    }
}

@Suite("random scripts of streams that are expanded", .watched)
struct ExpandModelTests {
    /// Draws a stream, and those that are made of the values that it sends as soon as it is started.
    private func draw(
        _ random: inout SplitMix64, _ streams: ScriptedStreams, _ all: Locked<Streams>, _ last: inout Int,
        depth: Int = 0
    ) -> Int {
        last += 1
        let number = last
        var values: [Int] = []
        if depth < 4, random.once(in: 2) {
            for _ in 0..<random.number(in: 1...3) {
                values.append(draw(&random, streams, all, &last, depth: depth + 1))
            }
        }
        var beginning = values.map { IntEvent.next($0) }
        var kind = ScriptedStream.Kind.manual
        switch random.number(in: 0...59) {
        case 0..<28: break
        case 28..<58: beginning.append(.completed)
        case 58: beginning.append(.interrupted)
        default: if random.once(in: 4) { beginning.append(.error(.first)) }
        }
        if beginning.count == 1, beginning[0].isTerminating, beginning[0] != .interrupted, random.once(in: 2) {
            kind = .plain
        }
        if values.count == 1, beginning.last?.isCompleted == true, random.once(in: 2) { kind = .plain }
        let stream = ScriptedStream(number: number, kind: kind, beginning: beginning)
        streams.add(stream)
        all.withLock { $0[number] = stream }
        return number
    }

    /// Runs random steps against the model, and returns how many, or `nil` if something differs.
    private func run(
        seed: UInt64, _ random: inout SplitMix64, _ strategy: FlattenStrategy, _ model: inout some ExpansionModel,
        _ all: Locked<Streams>
    ) -> Int? {
        let isSignal = random.once(in: 2)
        let streams = ScriptedStreams()
        defer { streams.releaseAll() }
        let (source, input) = Signal<Int, TestError>.pipe()
        let disposable: (any Disposable)?
        if isSignal {
            disposable = source.expand(strategy, raising: .second) { streams.make($0) }
                .observe { streams.events.append($0) }
        } else {
            disposable = SignalProducer(source).expand(strategy, raising: .second) { streams.make($0) }
                .start { streams.events.append($0) }
        }
        var (last, steps, remaining) = (0, 0, 300)
        while remaining > 0 {
            steps += 1
            remaining -= 1
            let recent = max(1, random.number(in: (last - 9)...max(1, last)))
            switch random.number(in: 0...199) {
            case 0..<30:
                let number = draw(&random, streams, all, &last)
                input.sendNext(number)
                model.receive(.next(number), from: 0)
            case 30..<90:
                let number = draw(&random, streams, all, &last)
                streams.send(.next(number), from: recent)
                model.receive(.next(number), from: recent)
            case 90..<195:
                let event = random.once(in: 6) ? .interrupted : IntEvent.completed
                streams.send(event, from: recent)
                model.receive(event, from: recent)
            case 195:
                guard random.once(in: 4) else { break }
                streams.send(.error(.first), from: recent)
                model.receive(.error(.first), from: recent)
            case 196 where random.once(in: 2):
                disposable?.dispose()
                model.end(isSignal ? nil : .interrupted)
            case 197:
                let event = random.pick([IntEvent.completed, .completed, .error(.first), .interrupted])
                input.send(event)
                model.receive(event, from: 0)
            default: break
            }
            var (expectedEvents, expectedSteps) = (model.events, model.steps)
            let what = "seed \(seed), step \(steps), \(strategy)"
            guard streams.agree(&expectedEvents, &expectedSteps, inAnyOrder: model.hasEnded, what) else { return nil }
            model.events = expectedEvents
            model.steps = expectedSteps
            if model.hasEnded { remaining = min(remaining, 10) }
        }
        disposable?.dispose()
        input.sendInterrupted()
        return steps
    }

    private func overflow(_ random: inout SplitMix64) -> Overflow {
        random.pick([Overflow.dropOldest, .dropOldest, .dropNewest, .dropNewest, .fail])
    }

    @Test("agree with the model in breadth")
    func breadth() {
        runScripts { seed in
            var random = SplitMix64(seed: seed)
            let all = Locked<Streams>([:])
            let limit = random.number(in: 2...4)
            let waiting = random.number(in: 0...4)
            let overflow = overflow(&random)
            switch random.number(in: 0...5) {
            case 0:
                var model = BreadthModel(limit: .max, waiting: .max, overflow: .dropNewest, streams: all)
                return run(seed: seed, &random, .merge, &model, all)
            case 1:
                var model = BreadthModel(limit: limit, waiting: .max, overflow: .dropNewest, streams: all)
                return run(seed: seed, &random, .concurrent(limit: limit), &model, all)
            default:
                var model = BreadthModel(limit: limit, waiting: waiting, overflow: overflow, streams: all)
                let strategy = FlattenStrategy.concurrent(limit: limit, waiting: waiting, whenFull: overflow)
                return run(seed: seed, &random, strategy, &model, all)
            }
        }
    }

    @Test("agree with the model in depth")
    func depth() {
        runScripts { seed in
            var random = SplitMix64(seed: seed)
            let all = Locked<Streams>([:])
            let waiting = random.number(in: 0...5)
            let overflow = overflow(&random)
            if random.once(in: 5) {
                var model = DepthModel(waiting: .max, overflow: .dropNewest, streams: all)
                return run(seed: seed, &random, .concat, &model, all)
            }
            var model = DepthModel(waiting: waiting, overflow: overflow, streams: all)
            return run(seed: seed, &random, .concat(waiting: waiting, whenFull: overflow), &model, all)
        }
    }
}
