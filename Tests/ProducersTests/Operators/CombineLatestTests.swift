import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// The static form and its variants, for two producers.
private let forms: [(name: String, combine: @Sendable (Numbers, Numbers) -> SignalProducer<String, TestError>)] = [
    ("two", { SignalProducer.combineLatest($0, $1).map { "\($0) \($1)" } }),
    ("with", { $0.combineLatest(with: $1).map { "\($0) \($1)" } }),
    ("collection", { Numbers.combineLatest([$0, $1]).map { "\($0[0]) \($0[1])" } }),
    ("pack", { SignalProducer.combineLatest($0, $1, Numbers(value: 0)).map { "\($0.0) \($0.1)" } }),
]

@Suite("combineLatest of producers")
struct CombineLatestTests {
    @Test("sends what is given for no producers, and nothing else then or otherwise")
    func emptySentinel() {
        expect(Numbers.combineLatest([], emptySentinel: [7]).logged().all, is: ["[7]", "completed"])
        expect(Numbers.combineLatest([Numbers](), emptySentinel: []).logged().all, is: ["[]", "completed"])
        let one = Numbers.combineLatest([Numbers(value: 1)], emptySentinel: [7])
        expect(one.logged().all, is: ["[1]", "completed"])
        expect(Numbers.combineLatest([Numbers.empty], emptySentinel: [7]).logged().all, is: ["completed"])
    }

    @Test(
        "sends once all inputs have sent, then whenever one sends, and completes with the last",
        arguments: forms.indices)
    func combines(form: Int) {
        let combine = forms[form].combine
        expect(played("a1 a2 b3 b4 a5", combine), is: ["2 3", "2 4", "5 4"])
        expect(played("a1 a| b2 b3 b|", combine), is: ["1 2", "1 3", "completed"])
        expect(played("b| a1 a2 a|", combine), is: ["completed"], "also if it can send nothing any more")
    }

    @Test("ends immediately when one input fails or is interrupted", arguments: forms.indices)
    func ends(form: Int) {
        let combine = forms[form].combine
        expect(played("a1 b2 bX", combine), is: ["1 2", "error first"])
        expect(played("aX", combine), is: ["error first"])
        expect(played("a1 a!", combine), is: ["interrupted"])
        expect(played("a1 a| b2 b!", combine), is: ["1 2", "interrupted"])
    }

    @Test("accepts a parameter pack of any length and any types")
    func pack() {
        let text = SignalProducer<String, TestError>(["a", "b"])
        let flag = SignalProducer<Bool, TestError>(value: true)
        let half = SignalProducer<Double, TestError>(value: 0.5)
        expect(SignalProducer.combineLatest(text).logged().all.last, is: "completed")
        #expect(
            SignalProducer.combineLatest(half, flag, text).logged().all
                == [#"(0.5, true, "a")"#, #"(0.5, true, "b")"#, "completed"])
        #expect(
            SignalProducer.combineLatest(half, flag, Numbers(value: 1), text).logged().all
                == [#"(0.5, true, 1, "a")"#, #"(0.5, true, 1, "b")"#, "completed"])
    }

    @Test("cancels all of many inputs when one fails")
    func cancels() {
        let inputs = (0..<4).map { _ in Manual() }
        let pack = SignalProducer.combineLatest(
            inputs[0].producer, inputs[1].producer, inputs[2].producer, inputs[3].producer
        ).logged()
        inputs[2].input?.sendError(.second)
        expect(pack.all, is: ["error second"])
        expect(inputs.map(\.disposals.value), is: [1, 1, 1, 1])
        let collection = Numbers.combineLatest(inputs.map(\.producer)).logged()
        inputs[3].input?.sendInterrupted()
        expect(collection.all, is: ["interrupted"])
        expect(inputs.map(\.disposals.value), is: [2, 2, 2, 2])
    }

    @Test("does not start the inputs that follow a failed one", arguments: forms.indices)
    func notBegun(form: Int) {
        let other = Manual()
        let log = forms[form].combine(Numbers(error: .first), other.producer).logged()
        expect(log.all, is: ["error first"])
        expect(other.starts.value, is: 0)
    }

    @Test("stops an endless source when the result ends", arguments: forms.indices)
    func endless(form: Int) {
        let asked = Counter()
        let log = forms[form].combine(Numbers(value: 7), Numbers(CountedNumbers(asked))).take(first: 2).logged()
        guard forms[form].name != "pack" else {
            // The third producer has not sent yet when the endless one starts.
            expect(log.all, is: ["7 \(CountedNumbers.limit - 1)", "completed"])
            return
        }
        expect(log.all, is: ["7 0", "7 1", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("starts a producer that is combined with itself twice")
    func itself() {
        let manual = Manual()
        let log = manual.producer.combineLatest(with: manual.producer).logged()
        expect(manual.starts.value, is: 2)
        manual.release()
        expect(log.all, is: ["interrupted"])
        let numbers = Numbers([1, 2])
        expect(numbers.combineLatest(with: numbers).logged().all, is: ["(2, 1)", "(2, 2)", "completed"])
    }

    @Test("is named after its inputs")
    func name() {
        let (a, b) = (Numbers.never.named("a"), Numbers.never.named("b"))
        expect(SignalProducer.combineLatest(a, b).name, is: "+combineLatest: (a, b)")
        expect(a.combineLatest(with: b).name, is: "+combineLatest: (a, b)")
        expect(SignalProducer.combineLatest(a, b, a).name, is: "+combineLatest: (a, b, a)")
        expect(Numbers.combineLatest([a, b]).name, is: "+combineLatest: (a, b)")
    }
}
