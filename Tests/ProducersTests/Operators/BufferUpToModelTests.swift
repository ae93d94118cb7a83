import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// What a buffer must do.
private struct BufferModel {
    let limit: Int
    let overflow: Overflow
    private var values: [Int] = []
    private var end: Event<Int, TestError>?
    private(set) var hasEnded = false
    var events: [Event<Int, TestError>] = []

    init(limit: Int, overflow: Overflow) {
        self.limit = limit
        self.overflow = overflow
    }

    mutating func send(_ event: Event<Int, TestError>) {
        guard !hasEnded, end == nil else { return }
        guard case .next(let value) = event else {
            end = event
            return
        }
        if values.count == limit {
            switch overflow {
            case .dropOldest: values.removeFirst()
            case .fail:
                values = []
                end = .error(.second)
                return
            default: return
            }
        }
        values.append(value)
    }

    /// - Parameter reply: The values that the observer sends when it receives a value.
    mutating func deliver(_ reply: (Int) -> [Int]) {
        while !hasEnded, !values.isEmpty {
            let value = values.removeFirst()
            events.append(.next(value))
            for value in reply(value) { send(.next(value)) }
        }
        guard !hasEnded, let end else { return }
        events.append(end)
        hasEnded = true
    }

    /// - Parameter isProducer: Whether the observer receives the interruption, which the scheduler delivers.
    mutating func dispose(isProducer: Bool) {
        guard !hasEnded else { return }
        values = []
        if isProducer { end = .interrupted } else { hasEnded = true }
    }
}

@Suite("random scripts of values in a buffer with a limit", .watched)
struct BufferUpToModelTests {
    /// Runs random steps against the model, and returns how many, or `nil` if something differs.
    private func run(seed: UInt64) -> Int? {
        var random = SplitMix64(seed: seed)
        let limit = random.number(in: 1...5)
        let overflow = random.pick([Overflow.dropOldest, .dropOldest, .dropNewest, .dropNewest, .fail])
        var model = BufferModel(limit: limit, overflow: overflow)
        let scheduler = TestScheduler()
        let log = Log<Event<Int, TestError>>()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let isProducer = random.once(in: 2)
        let reply: @Sendable (Int) -> [Int] = { value in
            value > 0 && value % 5 == 0 ? (1...(value / 5 % 7 + 1)).map { -10 * value - $0 } : []
        }
        let observer: @Sendable (Event<Int, TestError>) -> Void = { event in
            log.append(event)
            for value in event.value.map(reply) ?? [] { input.sendNext(value) }
        }
        let disposable =
            isProducer
            ? SignalProducer(signal).buffer(upTo: limit, whenFull: overflow, raising: .second, on: scheduler)
                .start(observer)
            : signal.buffer(upTo: limit, whenFull: overflow, raising: .second, on: scheduler).observe(observer)
        var (steps, remaining) = (0, 300)
        while remaining > 0 {
            steps += 1
            remaining -= 1
            switch random.number(in: 0...399) {
            case 0..<300:
                input.sendNext(steps)
                model.send(.next(steps))
            case 300..<397:
                scheduler.advance()
                model.deliver(reply)
            case 397:
                disposable?.dispose()
                model.dispose(isProducer: isProducer)
            default:
                let event = random.pick([Event<Int, TestError>.completed, .error(.first), .interrupted])
                input.send(event)
                model.send(event)
            }
            let events = log.all
            guard events == model.events else {
                expect(
                    events, is: model.events,
                    "seed \(seed), step \(steps), upTo: \(limit), \(overflow), producer: \(isProducer)")
                return nil
            }
            if !events.isEmpty {
                log.removeAll()
                model.events = []
            }
            if model.hasEnded { remaining = min(remaining, 5) }
        }
        disposable?.dispose()
        input.sendInterrupted()
        scheduler.run()
        return steps
    }

    @Test("agree with the model about what is dropped and what is delivered")
    func model() { runScripts(run) }
}
