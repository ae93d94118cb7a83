import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("element(at:) of producers")
struct ElementAtTests {
    @Test("sends the value at the index and requests no more from an endless source", arguments: 0...3)
    func element(index: Int) {
        let asked = Counter()
        let producer = Numbers(CountedNumbers(asked)).element(at: index)
        for round in 1...2 {
            expect(producer.logged().all, is: ["\(index)", "completed"])
            expect(asked.value, is: round * (index + 1))
        }
    }

    @Test("ends with a source that ends before the index", arguments: terminals)
    func earlier(terminal: Event<Int, TestError>) {
        let source = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(terminal)
        }
        expect(source.element(at: 1).logged().all, is: [terminal.text])
        expect(source.element(at: 0).logged().all, is: ["1", "completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: []) { $0.element(at: 1) } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.element(at: 2).name, is: "[never] -element(at: 2)") }

    @Test("traps when the index is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.element(at: -1)
        }
        result.expectTrap("element(at: -1)")
    }
}
