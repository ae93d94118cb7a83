package import HotSignals
import ReactiveSignals
package import TestSupport
import Testing

/// What happens to an inner stream.
package enum StreamStep: Equatable, Sendable {
    /// The operator has called its transformation.
    case made(Int)
    case started(Int)
    case stopped(Int)
}

/// An inner stream of a random script.
package struct ScriptedStream: Sendable {
    package enum Kind: Sendable {
        /// A producer that the script drives, once it has been started.
        case manual
        /// A signal that the script drives. What it sends before it is observed is lost.
        case hot
        /// A producer of a single value, an error or nothing.
        case plain
    }

    package let number: Int
    package let kind: Kind
    /// What the stream sends as soon as it is started.
    package let beginning: [Event<Int, TestError>]

    package init(number: Int, kind: Kind, beginning: [Event<Int, TestError>]) {
        self.number = number
        self.kind = kind
        self.beginning = beginning
    }

    package var isEmpty: Bool { kind == .plain && beginning == [.completed] }
}

extension SplitMix64 {
    /// Draws an inner stream. Its values contain its number.
    package mutating func stream(_ number: Int, isHot: Bool) -> ScriptedStream {
        let value = number * 1_000 + 900
        if isHot, once(in: 5) { return ScriptedStream(number: number, kind: .hot, beginning: []) }
        switch self.number(in: 0...39) {
        case 0..<20: return ScriptedStream(number: number, kind: .manual, beginning: [])
        case 20..<24: return ScriptedStream(number: number, kind: .manual, beginning: [.next(value)])
        case 24..<28:
            return ScriptedStream(
                number: number, kind: .manual, beginning: [.next(value), .next(value + 1), .completed])
        case 28..<30: return ScriptedStream(number: number, kind: .manual, beginning: [.completed])
        case 30: return ScriptedStream(number: number, kind: .manual, beginning: [.next(value), .interrupted])
        case 31..<35: return ScriptedStream(number: number, kind: .plain, beginning: [.next(value), .completed])
        case 35..<39: return ScriptedStream(number: number, kind: .plain, beginning: [.completed])
        default:
            guard once(in: 4) else { return ScriptedStream(number: number, kind: .manual, beginning: []) }
            return ScriptedStream(number: number, kind: once(in: 2) ? .plain : .manual, beginning: [.error(.first)])
        }
    }
}

/// Inner streams that a random script drives, and what happens to them.
package final class ScriptedStreams: Sendable {
    package let steps = Log<StreamStep>()
    package let events = Log<Event<Int, TestError>>()
    private let producers = Locked<[Int: Numbers]>([:])
    private let inputs = Locked<[Int: Signal<Int, TestError>.Observer]>([:])

    package init() {}

    /// Makes the stream available to ``make(_:)``.
    package func add(_ stream: ScriptedStream) {
        let producer = producer(of: stream)
        producers.withLock { $0[stream.number] = producer }
    }

    private func producer(of stream: ScriptedStream) -> Numbers {
        let number = stream.number
        switch (stream.kind, stream.beginning.first) {
        case (.manual, _):
            return Numbers { [self] observer, lifetime in
                steps.append(.started(number))
                inputs.withLock { $0[number] = observer }
                lifetime.observeEnded {
                    self.steps.append(.stopped(number))
                    self.release(number)
                }
                for event in stream.beginning { observer.send(event) }
            }
        case (.hot, _):
            let (signal, input) = Signal<Int, TestError>.pipe()
            inputs.withLock { $0[number] = input }
            return SignalProducer(signal)
        case (.plain, .next(let value)): return Numbers(value: value)
        case (.plain, .error(let error)): return Numbers(error: error)
        case (.plain, _): return .empty
        }
    }

    /// The transformation of the operator.
    package func make(_ number: Int) -> Numbers {
        steps.append(.made(number))
        return producers.withLock { $0.removeValue(forKey: number) } ?? .empty
    }

    /// Does nothing if the stream has not been started or has been stopped.
    package func send(_ event: Event<Int, TestError>, from number: Int) {
        let input = inputs.withLock { $0[number] }
        input?.send(event)
    }

    private func release(_ number: Int) {
        let input = inputs.withLock { $0.removeValue(forKey: number) }
        withExtendedLifetime(input) {}
    }

    /// Expects what a model has recorded since the last call, and forgets it. Returns whether it is so.
    package func agree(
        _ expectedEvents: inout [Event<Int, TestError>], _ expectedSteps: inout [StreamStep],
        inAnyOrder: Bool = false, _ what: @autoclosure () -> String
    ) -> Bool {
        let events = self.events.all
        var steps = self.steps.all
        if inAnyOrder {
            steps.sort { "\($0)" < "\($1)" }
            expectedSteps.sort { "\($0)" < "\($1)" }
        }
        guard events == expectedEvents, steps == expectedSteps else {
            expect(events, is: expectedEvents, Comment(rawValue: what()))
            expect(steps, is: expectedSteps, Comment(rawValue: what()))
            return false
        }
        if !events.isEmpty {
            self.events.removeAll()
            expectedEvents = []
        }
        if !steps.isEmpty {
            self.steps.removeAll()
            expectedSteps = []
        }
        return true
    }

    package func releaseAll() {
        let all = (
            inputs.withLock { exchange(&$0, with: [:]) },
            producers.withLock { exchange(&$0, with: [:]) }
        )
        withExtendedLifetime(all) {}
    }
}

private func exchange<Value>(_ variable: inout Value, with value: Value) -> Value {
    defer { variable = value }
    return variable
}

/// How many random steps a model test takes: 25,000 unless more rounds are requested, and at most 100,000.
package let modelSteps = min(100_000, 100 * raceRounds)

/// Runs one script per seed until all together have taken ``modelSteps`` steps.
///
/// - Parameter script: Returns the number of its steps, or `nil` after a failure, which ends the test.
package func runScripts(_ script: (_ seed: UInt64) -> Int?) {
    var steps = 0
    var seed: UInt64 = 1
    while steps < modelSteps {
        guard let count = script(seed) else { return }
        steps += count
        seed += 1
    }
}

/// What flattening must do, if no stream arrives while another one is being started.
package struct FlatteningModel {
    package enum Kind {
        case concurrent(limit: Int)
        case ordered(limit: Int)
        case latest, race, throttle
    }

    private struct Turn {
        package let number: Int
        package var values: [Int] = []
        package var hasEnded = false
    }

    package let kind: Kind
    package var waitingLimit = Int.max
    package var overflow = Overflow.dropNewest
    /// The errors that wait for the end, if they do.
    package var delayed: [TestError]?
    private(set) var running: [ScriptedStream] = []
    private var waiting: [ScriptedStream] = []
    /// Of an ordered strategy: the streams whose values have not all been sent.
    private var turns: [Turn] = []
    private var winner: Int?
    /// The signals that have ended, also before they were observed.
    private var endedSignals: Set<Int> = []
    package private(set) var hasEnded = false
    package var events: [Event<Int, TestError>] = []
    package var steps: [StreamStep] = []

    package init(_ kind: Kind) { self.kind = kind }

    package var isDone: Bool { running.isEmpty && waiting.isEmpty && turns.isEmpty }

    private var hasRoom: Bool {
        switch kind {
        case .concurrent(let limit): running.count < limit
        case .ordered(let limit): turns.count < limit
        case .latest, .race, .throttle: true
        }
    }

    package mutating func add(_ stream: ScriptedStream) {
        guard !hasEnded else { return }
        switch kind {
        case .concurrent, .ordered:
            if stream.isEmpty { return }
            if hasRoom { return start(stream) }
            if waiting.count < waitingLimit { return waiting.append(stream) }
            switch overflow {
            case .fail: end(.error(.second))
            case .dropOldest:
                guard !waiting.isEmpty else { return }
                waiting.removeFirst()
                waiting.append(stream)
            default: break
            }
        case .latest:
            stopRunning()
            start(stream)
        case .race: if winner == nil { start(stream) }
        case .throttle: if running.isEmpty { start(stream) }
        }
    }

    private mutating func start(_ stream: ScriptedStream) {
        if stream.kind == .manual { steps.append(.started(stream.number)) }
        running.append(stream)
        if case .ordered = kind { turns.append(Turn(number: stream.number)) }
        if endedSignals.contains(stream.number) { receive(.interrupted, from: stream.number) }
        for event in stream.beginning { receive(event, from: stream.number) }
    }

    /// Notes that a signal has ended, whether it is observed or not.
    package mutating func endSignal(_ number: Int) { endedSignals.insert(number) }

    /// Takes an event that a stream sends, if it is running.
    package mutating func receive(_ event: Event<Int, TestError>, from number: Int) {
        guard let index = running.firstIndex(where: { $0.number == number }) else { return }
        let stream = running[index]
        if case .race = kind, winner == nil {
            winner = number
            let losers = running.filter { $0.number != number }
            running = [stream]
            for loser in losers { logStop(of: loser) }
        }
        switch (event, kind) {
        case (.error(let error), _) where delayed != nil:
            delay(error)
            receive(.completed, from: number)
        case (.next(let value), .ordered):
            if turns.first?.number == number {
                events.append(event)
            } else if let turn = turns.firstIndex(where: { $0.number == number }) {
                turns[turn].values.append(value)
            }
        case (.next, _): events.append(event)
        case (.error, _), (.interrupted, .race), (.interrupted, .throttle): end(event)
        case (.completed, _), (.interrupted, _):
            running.removeAll { $0.number == number }
            logStop(of: stream)
            passTurn(number)
            while hasRoom, !hasEnded, !waiting.isEmpty { start(waiting.removeFirst()) }
        }
    }

    /// Sends what has been buffered, if the stream whose turn it is has ended.
    private mutating func passTurn(_ number: Int) {
        guard let turn = turns.firstIndex(where: { $0.number == number }) else { return }
        turns[turn].hasEnded = true
        while let first = turns.first, first.hasEnded {
            turns.removeFirst()
            guard !turns.isEmpty else { return }
            events += turns[0].values.map { .next($0) }
            turns[0].values = []
        }
    }

    private mutating func logStop(of stream: ScriptedStream) {
        if stream.kind == .manual { steps.append(.stopped(stream.number)) }
    }

    private mutating func stopRunning() {
        for stream in running { logStop(of: stream) }
        running = []
    }

    package mutating func delay(_ error: TestError) { delayed?.append(error) }

    /// Ends the result.
    package mutating func end(_ event: Event<Int, TestError>?) {
        guard !hasEnded else { return }
        hasEnded = true
        if event?.isCompleted == true, let error = delayed?.first {
            events.append(.error(error))
        } else if let event {
            events.append(event)
        }
        stop()
    }

    /// Disposes of all streams.
    package mutating func stop() {
        hasEnded = true
        stopRunning()
        waiting = []
        turns = []
    }
}
