import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("flatten() of producers of sequences")
struct FlattenTests {
    @Test("sends the elements of all sequences in order, also if some are empty")
    func elements() {
        let arrays = SignalProducer<[Int], TestError>([[1, 2], [], [3]])
        expect(arrays.flatten().logged().all, is: ["1", "2", "3", "completed"])
        let texts = SignalProducer<String, TestError>(["ab", "c"])
        expect(texts.flatten().logged().all, is: ["a", "b", "c", "completed"])
    }

    @Test("stops in the middle of an endless sequence when the result ends")
    func endless() {
        let (outer, inner) = (Counter(), Counter())
        let numbers = Numbers(CountedNumbers(outer)).map { _ in CountedNumbers(inner) }.flatten()
        expect(numbers.take(first: 3).logged().all, is: ["0", "1", "2", "completed"])
        #expect((outer.value, inner.value) == (1, 3))
    }

    @Test("stops in the middle of an endless sequence when it is disposed of during a delivery")
    func inside() {
        let asked = Counter()
        let log = Log<String>()
        Numbers(value: 1).map { _ in CountedNumbers(asked) }.flatten().startDisposably { event, disposable in
            log.append(event.text)
            if event.value == 1 { disposable.dispose() }
        }
        expect(log.all, is: ["0", "1", "interrupted"])
        expect(asked.value, is: 2)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows { $0.map { [$0] }.flatten() }
        expectFollows(values: ["1", "2"]) { $0.map { [$0, $0 + 1] }.flatten() }
    }

    @Test("has the operator's name")
    func name() { #expect(SignalProducer<[Int], TestError>.never.flatten().name == "[never] -flatten") }
}
