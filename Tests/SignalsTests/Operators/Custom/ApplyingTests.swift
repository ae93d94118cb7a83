import ReactiveSignals
import TestSupport
import Testing

private struct Doubled<Failure: Error>: StreamOperator {
    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, Failure>) { output.sendNext(value * 2) }
}

private struct Even<Failure: Error>: StreamOperator {
    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, Failure>) {
        if value % 2 == 0 { output.sendNext(value) }
    }
}

private struct First<Value: Sendable, Failure: Error>: StreamOperator {
    var remaining: Int

    mutating func receive(_ value: Value, to output: inout OperatorOutput<Value, Failure>) {
        remaining -= 1
        let isLast = remaining == 0
        output.sendNext(value)
        if isLast { output.sendCompleted() }
    }
}

private struct Sum<Failure: Error>: StreamOperator {
    var sum = 0

    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, Failure>) {
        sum += value
        output.sendNext(sum)
    }
}

private struct WithoutRepeats<Value: Equatable & Sendable, Failure: Error>: StreamOperator {
    var last: Value?

    mutating func receive(_ value: Value, to output: inout OperatorOutput<Value, Failure>) {
        if value != last { output.sendNext(value) }
        last = value
    }
}

/// The example of the documentation.
private struct Numbered<Value: Sendable, Failure: Error>: StreamOperator {
    private var position = 0

    mutating func receive(_ value: Value, to output: inout OperatorOutput<(Int, Value), Failure>) {
        output.sendNext((position, value))
        position += 1
    }
}

/// Sends each value that many times, and another value on completion.
private struct Stuttered: StreamOperator {
    let asked: Counter
    var total = 0

    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) {
        for _ in 0..<value {
            asked.increment()
            if output.hasEnded { return }
            output.sendNext(value)
            total += 1
        }
    }

    mutating func receiveCompleted(to output: inout OperatorOutput<Int, TestError>) {
        output.sendNext(-total)
        output.sendCompleted()
        output.sendNext(99)
        output.send(.error(.second))
    }
}

/// Sends values as strings, and an error or an interruption as a value before it ends.
private struct Turned: StreamOperator {
    mutating func receive(_ value: Int, to output: inout OperatorOutput<String, Never>) {
        output.send(.next("\(value)"))
    }

    mutating func receiveError(_ error: TestError, to output: inout OperatorOutput<String, Never>) {
        output.sendNext("\(error)")
        output.send(.completed)
    }

    mutating func receiveInterrupted(to output: inout OperatorOutput<String, Never>) {
        output.sendNext("interrupted")
        output.send(.interrupted)
    }
}

/// Ignores terminal events.
private struct Forgetful: StreamOperator {
    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) {}
    mutating func receiveError(_ error: TestError, to output: inout OperatorOutput<Int, TestError>) {}
    mutating func receiveCompleted(to output: inout OperatorOutput<Int, TestError>) {}
    mutating func receiveInterrupted(to output: inout OperatorOutput<Int, TestError>) {}
}

/// Fails even though its source cannot.
private struct Limited: StreamOperator {
    typealias InputFailure = Never

    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) {
        if value < 10 { output.sendNext(value) } else { output.sendError(.second) }
    }
}

private struct Holding: StreamOperator {
    let member: Population.Member
    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) {
        member.touch()
        output.sendNext(value)
    }
}

@Suite("applying(_:) with custom operators")
struct ApplyingTests {
    private typealias Numbers = Signal<Int, TestError>

    /// Expects two operators to send the same for the same random events.
    private func expectSame<Value: Sendable>(
        _ own: (Numbers) -> Signal<Value, TestError>, _ builtIn: (Numbers) -> Signal<Value, TestError>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            let (source, input) = Numbers.pipe()
            let (mine, theirs) = (own(source).logged(), builtIn(source).logged())
            for _ in 0..<random.number(in: 0...6) { input.sendNext(random.number(in: 0...3)) }
            input.send(random.pick([.completed, .error(.first), .interrupted]))
            expect(mine.all, is: theirs.all, sourceLocation: sourceLocation)
        }
    }

    @Test("behaves like the library's own operators")
    func equalsBuiltIn() {
        expectSame({ $0.applying(Doubled()) }, { $0.map { $0 * 2 } })
        expectSame({ $0.applying(Even()) }, { $0.filter { $0 % 2 == 0 } })
        expectSame({ $0.applying(First(remaining: 3)) }, { $0.take(first: 3) })
        expectSame({ $0.applying(Sum()) }, { $0.scan(0, +) })
        expectSame({ $0.applying(WithoutRepeats()) }, { $0.skipRepeats() })
        expectSame(
            { $0.applying(Even()).applying(Sum()).applying(First(remaining: 2)).applying(Doubled()) },
            { $0.filter { $0 % 2 == 0 }.scan(0, +).take(first: 2).map { $0 * 2 } })
    }

    @Test("keeps one state per result, shared by its observers")
    func state() {
        let (source, input) = Signal<String, Never>.pipe()
        let numbered = source.applying(Numbered(), named: "numbered")
        let early = numbered.map { "\($0.0)\($0.1)" }.logged()
        input.sendNext("a")
        let late = numbered.map { "\($0.0)\($0.1)" }.logged()
        let another = source.applying(Numbered()).map { "\($0.0)\($0.1)" }.logged()
        input.sendNext("b")
        input.sendCompleted()
        expect(early.all, is: ["0a", "1b", "completed"])
        expect(late.all, is: ["1b", "completed"])
        expect(another.all, is: ["0b", "completed"])
    }

    @Test("can send several values per value, and more on completion, but nothing after its own end")
    func many() {
        let asked = Counter()
        let (source, input) = Numbers.pipe()
        let log = source.applying(Stuttered(asked: asked)).logged()
        for value in [2, 0, 1] { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["2", "2", "1", "-3", "completed"])
    }

    @Test("lets the operator see that downstream has ended")
    func nobodyWantsMore() {
        let asked = Counter()
        let (source, input) = Numbers.pipe()
        let log = source.applying(Stuttered(asked: asked)).take(first: 2).logged()
        input.sendNext(1_000)
        expect(log.all, is: ["1000", "1000", "completed"])
        expect(asked.value, is: 3)
        withExtendedLifetime(input) {}
    }

    @Test("can convert values and errors, and send values before it ends")
    func turned() {
        for (event, expected) in [
            (Event<Int, TestError>.error(.second), ["1", "second", "completed"]), (.completed, ["1", "completed"]),
            (.interrupted, ["1", "interrupted", "interrupted"]),
        ] {
            let (source, input) = Numbers.pipe()
            let log = source.applying(Turned()).logged()
            input.sendNext(1)
            input.send(event)
            expect(log.all, is: expected)
        }
    }

    @Test("can fail when its source cannot, without a method for errors")
    func failing() {
        let (source, input) = Signal<Int, Never>.pipe()
        let log = source.applying(Limited()).logged()
        for value in [1, 10, 2] { input.sendNext(value) }
        expect(log.all, is: ["1", "error second"])
        let completed = Signal<Int, Never>.pipe()
        let other = completed.output.applying(Limited()).logged()
        completed.input.sendCompleted()
        expect(other.all, is: ["completed"])
    }

    @Test("interrupts its result if the operator ignores a terminal event")
    func forgetful() {
        for event in [Event<Int, TestError>.error(.second), .completed, .interrupted] {
            let (source, input) = Numbers.pipe()
            let log = source.applying(Forgetful()).logged()
            input.sendNext(1)
            input.send(event)
            expect(log.all, is: ["interrupted"])
        }
    }

    @Test("releases its source when it ends first")
    func earlyEnd() {
        let disposals = Counter()
        let (source, input) = Numbers.pipe()
        let log = source.on(disposed: { disposals.increment() }).applying(First(remaining: 2)).logged()
        input.sendNext(1)
        expect(disposals.value, is: 0)
        input.sendNext(2)
        expect(disposals.value, is: 1)
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("delivers re-entrant events after the current call returns")
    func reentrancy() {
        let (source, input) = Numbers.pipe()
        let result = source.applying(Sum()).applying(First(remaining: 3))
        let log = Log<String>()
        result.observe { event in
            log.append(event.text)
            input.sendNext(10)
        }
        input.sendNext(1)
        expect(log.all, is: ["1", "11", "21", "completed"])
    }

    @Test("releases the operator when its result ends, is disposed of, or is never observed")
    func release() {
        let population = Population()
        let (source, input) = Numbers.pipe()
        _ = source.applying(Holding(member: population.member()))
        expect(population.alive, is: 0)
        let disposable = source.applying(Holding(member: population.member())).observe { _ in }
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
        let held = source.applying(Holding(member: population.member()))
        input.sendError(.first)
        expect(population.alive, is: 0)
        withExtendedLifetime(held) {}
    }

    @Test("names its result")
    func name() {
        let source = Numbers.never.named("origin")
        expect(source.applying(Doubled(), named: "doubled").name, is: "[origin] -doubled")
        expect(
            source.applying(First(remaining: 3), named: "first: #", argument: 3).applying(Doubled()).name,
            is: "[[origin] -first: 3] -applying")
    }
}
