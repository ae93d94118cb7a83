import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

private struct Sum: StreamOperator {
    var sum = 0

    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) {
        sum += value
        output.sendNext(sum)
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

/// Completes, and continues to send nevertheless.
private struct Unstoppable: StreamOperator {
    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) {
        output.sendNext(value)
        output.sendCompleted()
        output.sendNext(value + 1)
        output.sendError(.first)
    }
}

/// Counts the events that reach it.
private struct Counting: StreamOperator {
    let count: Counter

    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) {
        count.increment()
        output.sendNext(value)
    }
}

private struct Holding: StreamOperator {
    let member: Population.Member
    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) { member.touch() }
}

@Suite("applying(_:) of producers, with a custom operator")
struct ApplyingTests {
    private typealias Numbers = SignalProducer<Int, TestError>

    private func log<Value: Sendable>(_ producer: SignalProducer<Value, TestError>) -> [String] {
        let log = Log<String>()
        producer.start { log.append($0.text) }
        return log.all
    }

    @Test("does not complete an inner start that its last value disposes of")
    func disposedByValue() {
        let log = Log<String>()
        let first = Numbers([1, 2]).applying(First(remaining: 1)).on(event: { log.append("inner \($0.text)") })
        Numbers.merge([first, .never]).flatMap(.merge) { _ in Numbers(error: .first) }.start { log.append($0.text) }
        expect(log.all, is: ["inner 1", "error first", "inner interrupted"])
    }

    @Test("behaves like the library's own operators, for each terminal event")
    func equalsBuiltIn() {
        let ends: [Numbers] = [.empty, Numbers(error: .second), Numbers { observer, _ in observer.sendInterrupted() }]
        for end in ends {
            for count in 0..<6 {
                let source = Numbers(Array(0..<count)).concat(end)
                expect(log(source.applying(Sum())), is: log(source.scan(0, +)))
                expect(log(source.applying(First(remaining: 3))), is: log(source.take(first: 3)))
                expect(
                    log(source.applying(First(remaining: 2)).applying(Sum()).concat(end)),
                    is: log(source.take(first: 2).scan(0, +).concat(end)))
            }
        }
    }

    @Test("uses a separate copy of the operator for each start")
    func startsOnItsOwn() {
        let producer = Numbers([1, 2, 3]).applying(Sum())
        expect(log(producer), is: ["1", "3", "6", "completed"])
        expect(log(producer), is: ["1", "3", "6", "completed"])
    }

    @Test("forwards nothing after the end, not even to the operators after it")
    func afterTheEnd() {
        let count = Counter()
        let result = Numbers([5, 6]).applying(Unstoppable()).on(event: { _ in count.increment() }).concat(value: 9)
        expect(log(result), is: ["5", "9", "completed"])
        expect(count.value, is: 2)
    }

    @Test("stops an endless source when it ends or is disposed of downstream")
    func endlessSource() {
        for isOwn in [false, true] {
            let count = Counter()
            let endless = Numbers(0..<Int.max).applying(Counting(count: count))
            expect(
                log(isOwn ? endless.applying(First(remaining: 3)) : endless.take(first: 3)),
                is: ["0", "1", "2", "completed"])
            expect(count.value, is: 3)
        }
    }

    @Test("interrupts on disposal, and releases the operator")
    func disposal() {
        let population = Population()
        let log = Log<String>()
        let disposable = Numbers.never.applying(Holding(member: population.member())).start { log.append($0.text) }
        expect(population.alive, is: 1)
        disposable.dispose()
        expect(population.alive, is: 0)
        expect(log.all, is: ["interrupted"])
    }

    @Test("has the given name")
    func name() {
        let source = Numbers.never.named("origin")
        expect(source.applying(First(remaining: 3), named: "first: #", argument: 3).name, is: "[origin] -first: 3")
    }
}
