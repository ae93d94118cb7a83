import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// Operators that end with their first value.
private let endingWithValue: [@Sendable (Numbers) -> Numbers] = [
    { $0.contains { $0 == 1 }.map { _ in 0 } },
    { $0.allSatisfy { $0 != 1 }.map { _ in 0 } },
    { $0.take(throughWhile: { $0 != 1 }) },
    { $0.take(first: 1) },
    { $0.collect(count: 1).take(first: 1).map { _ in 0 } },
    { $0.concat(value: 2).take(first: 1) },
]

@Suite("ProducerSink")
struct ProducerSinkTests {
    @Test(
        "an operator that ends with a value does not complete an inner start that the value disposes of",
        arguments: endingWithValue.indices)
    func inner(index: Int) {
        let log = Log<String>()
        let ending = endingWithValue[index](Numbers([1, 2])).on(event: { log.append("inner \($0.text)") })
        Numbers.merge([ending, .never]).flatMap(.merge) { _ in Numbers(error: .first) }.start { log.append($0.text) }
        expect(log.all.count, is: 3)
        expect(log.all.dropFirst(), is: ["error first", "inner interrupted"])
    }

    @Test(
        "an operator that ends with a value does not complete a start whose observer disposes of it",
        arguments: endingWithValue.indices)
    func observed(index: Int) {
        let log = Log<String>()
        let start = SerialDisposable()
        let manual = Manual()
        start.inner = endingWithValue[index](manual.producer).on(event: { log.append("on \($0.text)") }).start {
            event in
            log.append(event.text)
            if case .next = event { start.dispose() }
        }
        manual.input?.sendNext(1)
        expect(log.all.count, is: 4)
        expect(log.all.suffix(2), is: ["on interrupted", "interrupted"])
        expect(manual.disposals.value, is: 1)
    }

    @Test("a source of one value does not complete an inner start that the value disposes of")
    func source() {
        let log = Log<String>()
        Numbers.merge([Numbers(value: 1).on(event: { log.append("inner \($0.text)") }), .never])
            .flatMap(.merge) { _ in Numbers(error: .first) }
            .start { log.append($0.text) }
        expect(log.all, is: ["inner 1", "error first", "inner interrupted"])
    }
}
