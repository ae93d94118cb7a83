import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("combineLatest, zip, merge and race of producers")
struct CombiningTests {
    private let ones = Numbers([1, 2])
    private let tens = Numbers([3, 4])

    @Test("start their inputs in the order of the arguments, once all are observed")
    func order() {
        expect(SignalProducer.combineLatest(ones, tens).logged().all, is: ["(2, 3)", "(2, 4)", "completed"])
        expect(ones.combineLatest(with: tens).logged().all, is: ["(2, 3)", "(2, 4)", "completed"])
        expect(SignalProducer.zip(ones, tens).logged().all, is: ["(1, 3)", "(2, 4)", "completed"])
        expect(ones.zip(with: tens).logged().all, is: ["(1, 3)", "(2, 4)", "completed"])
        expect(SignalProducer.merge(ones, tens).logged().all, is: ["1", "2", "3", "4", "completed"])
        expect(ones.merge(with: tens).logged().all, is: ["1", "2", "3", "4", "completed"])
    }

    @Test("accept any number of inputs, of any types")
    func many() {
        let text = SignalProducer<String, TestError>(value: "a")
        let flag = SignalProducer<Bool, TestError>(value: true)
        expect(SignalProducer.combineLatest(ones, text, flag).logged().all, is: ["(2, \"a\", true)", "completed"])
        expect(SignalProducer.zip(ones, text, flag).logged().all, is: ["(1, \"a\", true)", "completed"])
        #expect(SignalProducer<Never, TestError>.combineLatest().logged().all == ["completed"])
        #expect(SignalProducer<Never, TestError>.zip().logged().all == ["completed"])
    }

    @Test("accept collections")
    func collections() {
        let producers = [ones, tens, Numbers(value: 5)]
        expect(Numbers.combineLatest(producers).logged().all, is: ["[2, 4, 5]", "completed"])
        expect(Numbers.zip(producers).logged().all, is: ["[1, 3, 5]", "completed"])
        expect(Numbers.merge(producers).logged().all, is: ["1", "2", "3", "4", "5", "completed"])
        expect(Numbers.race(producers).logged().all, is: ["1", "2", "completed"])
        expect(Numbers.combineLatest([]).logged().all, is: ["completed"])
        expect(Numbers.zip([]).logged().all, is: ["completed"])
        expect(Numbers.merge([Numbers]()).logged().all, is: ["completed"])
        expect(Numbers.race([Numbers]()).logged().all, is: ["completed"])
    }

    @Test("accept signals as the other stream")
    func signals() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let combined = Numbers(value: 1).combineLatest(with: signal).logged()
        let zipped = Numbers([1, 2]).zip(with: signal).logged()
        let merged = Numbers(value: 1).merge(with: signal).logged()
        input.sendNext(7)
        input.sendCompleted()
        expect(combined.all, is: ["(1, 7)", "completed"])
        expect(zipped.all, is: ["(1, 7)", "completed"])
        expect(merged.all, is: ["1", "7", "completed"])
    }

    @Test("cancel the other input when one fails, and all inputs on disposal")
    func cancellation() {
        for combine: @Sendable (Numbers, Numbers) -> SignalProducer<String, TestError> in [
            { SignalProducer.combineLatest($0, $1).map { "\($0)" } }, { SignalProducer.zip($0, $1).map { "\($0)" } },
            { SignalProducer.merge($0, $1).map { "\($0)" } },
            { Numbers.combineLatest([$0, $1]).map { "\($0)" } }, { Numbers.zip([$0, $1]).map { "\($0)" } },
        ] {
            let (first, second) = (Manual(), Manual())
            let failed = combine(first.producer, second.producer).logged()
            second.input?.sendError(.second)
            expect(failed.all, is: ["error second"])
            expect(first.disposals.value, is: 1)
            let start = combine(first.producer, second.producer).startLogged()
            start.disposable.dispose()
            expect(start.log.all, is: ["interrupted"])
            expect(first.disposals.value, is: 2)
            expect(second.disposals.value, is: 2)
        }
    }
}
