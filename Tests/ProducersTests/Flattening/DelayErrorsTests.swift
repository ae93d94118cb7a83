import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

private typealias Safe = SignalProducer<Int, Never>

@Suite("flatMap, merge, concat and combineLatest with delayed errors", .watched)
struct DelayErrorsTests {
    private let failing: [Numbers] = [
        Numbers([1, 2]), Numbers(value: 3).concat(error: .first), .init(error: .second), .init(value: 4),
    ]

    @Test("sends the values of all streams, and then the first error")
    func first() {
        let values = ["1", "2", "3", "4", "error first"]
        expect(Numbers.concat(failing, delayErrors: .first).logged().all, is: values)
        expect(Numbers.merge(failing, delayErrors: .first).logged().all, is: values)
        expect(Safe([0, 1, 2, 3]).flatMap(.concat, delayErrors: .first) { failing[$0] }.logged().all, is: values)
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = signal.flatMap(.concat, delayErrors: .first) { [failing] in failing[$0] }.logged()
        for number in 0..<4 { input.sendNext(number) }
        expect(log.all, is: Array(values.dropLast()))
        input.sendCompleted()
        expect(log.all, is: values)
    }

    @Test("sends all errors in the order in which they arrived")
    func all() {
        let values = ["1", "2", "3", "4", "error(CollectedErrors(first, second))"]
        func text(_ producer: SignalProducer<Int, CollectedErrors<TestError>>) -> [String] {
            let log = Log<String>()
            producer.start { event in
                if case .error(let error) = event {
                    let errors = error.errors.map { "\($0)" }.joined(separator: ", ")
                    log.append("error(CollectedErrors(\(errors)))")
                } else {
                    log.append(event.text)
                }
            }
            return log.all
        }
        expect(text(Numbers.concat(failing, delayErrors: .all)), is: values)
        expect(text(Numbers.merge(failing, delayErrors: .all)), is: values)
        expect(text(Safe([0, 1, 2, 3]).flatMap(.concat, delayErrors: .all) { failing[$0] }), is: values)
        let source = Numbers([0, 1, 2, 3]).concat(error: .second)
        let errors = Log<[TestError]>()
        source.flatMap(.concat, delayErrors: .all) { [failing] in failing[$0] }
            .startWithError { errors.append($0.errors) }
        expect(errors.all, is: [[.first, .second, .second]])
        let (signal, input) = Signal<Int, TestError>.pipe()
        signal.flatMap(.merge, delayErrors: .all) { [failing] in failing[$0] }
            .observeError { errors.append($0.errors) }
        input.sendNext(1)
        input.sendError(.second)
        expect(errors.all.last, is: [.first, .second])
    }

    @Test("without an error, completes")
    func none() {
        expect(Numbers.merge([Numbers(value: 1), .empty], delayErrors: .first).logged().all, is: ["1", "completed"])
        expect(Numbers.merge([Numbers](), delayErrors: .first).logged().all, is: ["completed"])
        expect(Numbers.concat([Numbers(value: 1)], delayErrors: .first).logged().all, is: ["1", "completed"])
        expect(Numbers.combineLatest([Numbers](), delayErrors: .first).logged().all, is: ["completed"])
    }

    @Test("a source that fails waits for the streams that run")
    func source() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (inner, innerInput) = Signal<Int, TestError>.pipe()
        let logs = [
            signal.flatMap(.merge, delayErrors: .first) { _ in inner }.logged(),
            SignalProducer(signal).flatMap(.merge, delayErrors: .first) { _ in inner }.logged(),
        ]
        input.sendNext(0)
        input.sendError(.second)
        innerInput.sendNext(1)
        for log in logs { expect(log.all, is: ["1"]) }
        innerInput.sendError(.first)
        for log in logs { expect(log.all, is: ["1", "error second"]) }
    }

    @Test("each start has its own errors")
    func starts() {
        let round = Locked(0)
        let source = Numbers.merge(
            [
                Numbers.deferred {
                    round.withLock { $0 += 1 }
                    return round.withLock { $0 } == 1 ? Numbers(error: .first) : Numbers(value: 1)
                }
            ], delayErrors: .first)
        expect(source.logged().all, is: ["error first"])
        expect(source.logged().all, is: ["1", "completed"])
    }

    @Test("an interruption of the source ends the result at once, and a disposal disposes of the streams")
    func interruption() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let ended = Counter()
        let inner = Numbers.never.on(disposed: { ended.increment() })
        let log = SignalProducer(signal).flatMap(.merge, delayErrors: .first) { _ in inner }.logged()
        input.sendNext(0)
        input.sendInterrupted()
        expect(log.all, is: ["interrupted"])
        expect(ended.value, is: 1)
        let all = Log<String>()
        let disposable = Numbers.merge([Numbers(error: .first), inner], delayErrors: .first)
            .start { all.append($0.text) }
        disposable.dispose()
        expect(all.all, is: ["interrupted"])
        expect(ended.value, is: 2)
    }

    @Test("an error of a stream that has lost a race does not count")
    func race() {
        let (loser, loserInput) = Signal<Int, TestError>.pipe()
        let (winner, input) = Signal<Int, TestError>.pipe()
        // When it is disposed of, the other loser fails.
        let first = Numbers.never.on(disposed: { loserInput.sendError(.second) })
        let log = SignalProducer<Numbers, Never>([first, SignalProducer(loser), SignalProducer(winner)])
            .flatMap(.race, delayErrors: .first) { $0 }.logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("a strategy that fails when it is full traps")
    func overflow() async throws {
        let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.flatMap(.concat(waiting: 1, whenFull: .fail), delayErrors: .first) { Numbers(value: $0) }
        }
        trap.expectTrap(
            "flatMap(delayErrors:) .concat(waiting: 1, whenFull: .fail): the overflow .fail needs the parameter raising"
        )
    }

    @Test("combineLatest keeps the last value of a producer that fails")
    func combining() {
        let pipes = (0..<3).map { _ in Signal<Int, TestError>.pipe() }
        let sources = pipes.map { SignalProducer($0.output) }
        let log = Numbers.combineLatest(sources, delayErrors: .first).logged()
        let errors = Log<[TestError]>()
        Numbers.combineLatest(sources, delayErrors: .all).startWithError { errors.append($0.errors) }
        for (number, pipe) in pipes.enumerated() { pipe.input.sendNext(number) }
        pipes[1].input.sendError(.second)
        pipes[0].input.sendNext(5)
        pipes[0].input.sendError(.first)
        expect(log.all, is: ["[0, 1, 2]", "[5, 1, 2]"])
        pipes[2].input.sendNext(7)
        pipes[2].input.sendCompleted()
        expect(log.all, is: ["[0, 1, 2]", "[5, 1, 2]", "[5, 1, 7]", "error second"])
        expect(errors.all, is: [[.second, .first]])
    }

    /// Runs random steps against the model, and returns how many, or `nil` if something differs.
    private func run(seed: UInt64) -> Int? {
        var random = SplitMix64(seed: seed)
        let limit = random.number(in: 1...3)
        let (strategy, kind) = random.pick([
            (FlattenStrategy.merge, FlatteningModel.Kind.concurrent(limit: .max)), (.concat, .concurrent(limit: 1)),
            (.concurrent(limit: limit), .concurrent(limit: limit)), (.latest, .latest), (.race, .race),
            (.throttle, .throttle), (.concurrent(limit: limit, ordered: true), .ordered(limit: limit)),
        ])
        var model = FlatteningModel(kind)
        model.delayed = []
        let isSignal = random.once(in: 2)
        let streams = ScriptedStreams()
        defer { streams.releaseAll() }
        let (outer, input) = Signal<Int, TestError>.pipe()
        let disposable: (any Disposable)?
        if isSignal {
            disposable = outer.flatMap(strategy, delayErrors: .first) { streams.make($0) }
                .observe { streams.events.append($0) }
        } else {
            disposable = SignalProducer(outer).flatMap(strategy, delayErrors: .first) { streams.make($0) }
                .start { streams.events.append($0) }
        }
        var outerHasEnded = false
        var (lastStream, steps, remaining) = (0, 0, 200)
        var signals: Set<Int> = []
        while remaining > 0 {
            steps += 1
            remaining -= 1
            let recent = max(1, random.number(in: (lastStream - 5)...max(1, lastStream)))
            switch random.number(in: 0...99) {
            case 0..<35:
                lastStream += 1
                let stream = random.stream(lastStream, isHot: true)
                streams.add(stream)
                if stream.kind == .hot { signals.insert(lastStream) }
                if !outerHasEnded, !model.hasEnded { model.steps.append(.made(lastStream)) }
                input.sendNext(lastStream)
                if !outerHasEnded { model.add(stream) }
            case 35..<65:
                let value = recent * 1_000 + steps
                streams.send(.next(value), from: recent)
                model.receive(.next(value), from: recent)
            case 65..<97:
                let event = random.pick([Event<Int, TestError>.completed, .error(.first), .error(.second)])
                streams.send(event, from: recent)
                model.receive(event, from: recent)
                if signals.contains(recent) { model.endSignal(recent) }
            case 97 where random.once(in: 4):
                disposable?.dispose()
                model.end(isSignal ? nil : .interrupted)
            case 98 where !outerHasEnded:
                outerHasEnded = true
                let event = random.pick([Event<Int, TestError>.completed, .error(.second), .interrupted])
                input.send(event)
                if case .interrupted = event { model.end(event) }
                if case .error(let error) = event { model.delay(error) }
            default: break
            }
            if outerHasEnded, model.isDone { model.end(.completed) }
            let what = "seed \(seed), step \(steps), \(strategy)"
            guard streams.agree(&model.events, &model.steps, inAnyOrder: model.hasEnded, what) else { return nil }
            if model.hasEnded { remaining = min(remaining, 5) }
        }
        disposable?.dispose()
        input.sendInterrupted()
        return steps
    }

    @Test("agree with a model that delays errors, in each strategy")
    func model() { runScripts(run) }
}
