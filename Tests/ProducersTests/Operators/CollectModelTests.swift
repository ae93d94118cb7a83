import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Batch = Event<[Int], TestError>

/// A form of `collect` with arrays that end by time or by a trigger.
private enum Form: CustomStringConvertible {
    case every(Int, skipEmpty: Bool, discardWhenCompleted: Bool)
    case everyUpTo(Int, count: Int)
    case until

    var description: String {
        switch self {
        case .every(let interval, let skipEmpty, let discard): "every: \(interval), \(skipEmpty), \(discard)"
        case .everyUpTo(let interval, let count): "every: \(interval), upTo: \(count)"
        case .until: "until:"
        }
    }
}

/// What the forms of `collect` must do. Times are in milliseconds.
private struct CollectModel {
    let form: Form
    /// The values that the observer sends when it receives an array.
    let reply: @Sendable ([Int]) -> [Int]
    private var now = 0
    private var values: [Int] = []
    /// The arrays that have the required size and wait for the scheduler.
    private var full: [[Int]] = []
    /// When the current array is sent.
    private var due = Int.max
    private var end: Batch?
    private(set) var hasEnded = false
    var events: [Batch] = []

    init(_ form: Form, reply: @escaping @Sendable ([Int]) -> [Int]) {
        self.form = form
        self.reply = reply
        if case .every(let interval, _, _) = form { due = interval }
    }

    mutating func send(_ value: Int) {
        guard !hasEnded, end == nil else { return }
        if case .everyUpTo(let interval, let count) = form {
            if values.isEmpty { due = now + interval }
            values.append(value)
            if values.count == count {
                full.append(values)
                values = []
            }
        } else {
            values.append(value)
        }
    }

    mutating func end(_ event: Event<Int, TestError>) {
        guard !hasEnded, end == nil else { return }
        let end: Batch =
            switch event {
            case .error(let error): .error(error)
            case .interrupted: .interrupted
            default: .completed
            }
        switch form {
        case .until:
            if event == .completed, !values.isEmpty { events.append(.next(values)) }
            events.append(end)
            hasEnded = true
        case .every(_, _, let discards):
            self.end = end
            if discards || event != .completed { values = [] }
        case .everyUpTo:
            self.end = end
            if event != .completed { values = [] }
        }
    }

    mutating func trigger() {
        guard !hasEnded else { return }
        emit()
    }

    private mutating func emit() {
        let array = values
        values = []
        deliver(array)
    }

    private mutating func deliver(_ array: [Int]) {
        events.append(.next(array))
        for value in reply(array) { send(value) }
    }

    /// The scheduler calls what is due, in order.
    mutating func advance(by time: Int) {
        let target = now + time
        defer { now = target }
        switch form {
        case .until: return
        case .everyUpTo:
            while !hasEnded {
                if !full.isEmpty {
                    deliver(full.removeFirst())
                } else if !values.isEmpty, due <= target || end != nil {
                    // An end does not wait for the interval.
                    if end == nil { now = max(now, due) }
                    emit()
                } else {
                    break
                }
            }
            finish()
        case .every(let interval, let skipEmpty, let discards):
            if let end, discards || end != .completed { return finish() }
            while !hasEnded, due <= target {
                now = due
                due += interval
                let isLast = end != nil
                if !values.isEmpty || !skipEmpty { emit() }
                if isLast { finish() }
            }
        }
    }

    private mutating func finish() {
        guard !hasEnded, let end else { return }
        events.append(end)
        hasEnded = true
    }

    /// - Parameter isProducer: Whether the observer receives the interruption.
    mutating func dispose(isProducer: Bool) {
        guard !hasEnded else { return }
        (values, full) = ([], [])
        if isProducer {
            // On the scheduler, if there is one.
            end = .interrupted
            if case .until = form { finish() }
        } else {
            hasEnded = true
        }
    }
}

@Suite("random scripts of values that are collected by time or by a trigger", .watched)
struct CollectModelTests {
    private func form(_ random: inout SplitMix64) -> Form {
        let interval = random.number(in: 1...4)
        return switch random.number(in: 0...3) {
        case 0: .until
        case 1: .every(interval, skipEmpty: random.once(in: 2), discardWhenCompleted: random.once(in: 2))
        default: .everyUpTo(interval, count: random.number(in: 1...5))
        }
    }

    /// Runs random steps against the model, and returns how many, or `nil` if something differs.
    private func run(seed: UInt64) -> Int? {
        var random = SplitMix64(seed: seed)
        let form = form(&random)
        let isProducer = random.once(in: 2)
        // Values that a trigger's delivery sends belong to the next array, so they need no end.
        let reply: @Sendable ([Int]) -> [Int] = { array in
            guard let last = array.last, last > 0, last % 6 == 0 else { return [] }
            return (1...(last / 6 % 7 + 1)).map { -10 * last - $0 }
        }
        var model = CollectModel(form, reply: reply)
        let clock = TestScheduler()
        let log = Log<Batch>()
        let (source, input) = Signal<Int, TestError>.pipe()
        let (trigger, triggerInput) = Signal<Int, Never>.pipe()
        let observer: @Sendable (Batch) -> Void = { event in
            log.append(event)
            for value in event.value.map(reply) ?? [] { input.sendNext(value) }
        }
        let producer = SignalProducer(source)
        let disposable: (any Disposable)? =
            switch form {
            case .until where isProducer: producer.collect(until: trigger).start(observer)
            case .until: source.collect(until: trigger).observe(observer)
            case .every(let interval, let skipEmpty, let discards) where isProducer:
                producer.collect(
                    every: .milliseconds(interval), on: clock, skipEmpty: skipEmpty, discardWhenCompleted: discards
                ).start(observer)
            case .every(let interval, let skipEmpty, let discards):
                source.collect(
                    every: .milliseconds(interval), on: clock, skipEmpty: skipEmpty, discardWhenCompleted: discards
                ).observe(observer)
            case .everyUpTo(let interval, let count) where isProducer:
                producer.collect(every: .milliseconds(interval), upTo: count, on: clock).start(observer)
            case .everyUpTo(let interval, let count):
                source.collect(every: .milliseconds(interval), upTo: count, on: clock).observe(observer)
            }
        var triggerHasEnded = false
        var (steps, remaining) = (0, 200)
        while remaining > 0 {
            steps += 1
            remaining -= 1
            switch random.number(in: 0...199) {
            case 0..<120:
                input.sendNext(steps)
                model.send(steps)
            case 120..<160:
                let time = random.number(in: 0...3)
                clock.advance(by: .milliseconds(time))
                model.advance(by: time)
            case 160..<195:
                guard case .until = form else { break }
                triggerInput.sendNext(steps)
                if !triggerHasEnded { model.trigger() }
            case 195 where random.once(in: 2):
                disposable?.dispose()
                model.dispose(isProducer: isProducer)
            case 196 where random.once(in: 2):
                let event = random.pick([Event<Int, TestError>.completed, .completed, .error(.first), .interrupted])
                input.send(event)
                model.end(event)
            case 197 where random.once(in: 4):
                triggerHasEnded = true
                if random.once(in: 2) { triggerInput.sendCompleted() } else { triggerInput.sendInterrupted() }
            default: break
            }
            let events = log.all
            guard events == model.events else {
                expect(events, is: model.events, "seed \(seed), step \(steps), \(form), producer: \(isProducer)")
                return nil
            }
            if !events.isEmpty {
                log.removeAll()
                model.events = []
            }
            if model.hasEnded { remaining = min(remaining, 10) }
        }
        disposable?.dispose()
        input.sendInterrupted()
        triggerInput.sendInterrupted()
        clock.advance()
        return steps
    }

    @Test("agree with the model about the arrays, and when they are sent")
    func model() { runScripts(run) }
}
