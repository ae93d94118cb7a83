import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// The static form and its variants, for two producers.
private let forms: [(name: String, combine: @Sendable (Numbers, Numbers) -> SignalProducer<String, TestError>)] = [
    ("two", { SignalProducer.zip($0, $1).map { "\($0) \($1)" } }),
    ("with", { $0.zip(with: $1).map { "\($0) \($1)" } }),
    ("collection", { Numbers.zip([$0, $1]).map { "\($0[0]) \($0[1])" } }),
    ("pack", { SignalProducer.zip($0, $1, Numbers(repeatElement(0, count: 9))).map { "\($0.0) \($0.1)" } }),
]

@Suite("zip of producers")
struct ZipTests {
    @Test("sends what is given for no producers, and nothing else then or otherwise")
    func emptySentinel() {
        expect(Numbers.zip([], emptySentinel: [7]).logged().all, is: ["[7]", "completed"])
        expect(Numbers.zip([Numbers](), emptySentinel: []).logged().all, is: ["[]", "completed"])
        let one = Numbers.zip([Numbers(value: 1)], emptySentinel: [7])
        expect(one.logged().all, is: ["[1]", "completed"])
        expect(Numbers.zip([Numbers.empty], emptySentinel: [7]).logged().all, is: ["completed"])
    }

    @Test("pairs the first values, then the second ones", arguments: forms.indices)
    func zips(form: Int) {
        let combine = forms[form].combine
        expect(played("a1 a2 a3 b4 b5", combine), is: ["1 4", "2 5"])
        expect(played("b1 b2 a3", combine), is: ["3 1"])
    }

    @Test("completes with the last possible pair", arguments: forms.indices)
    func completes(form: Int) {
        let combine = forms[form].combine
        expect(played("a1 a| b2", combine), is: ["1 2", "completed"])
        expect(played("a1 b2 a|", combine), is: ["1 2", "completed"])
        expect(played("a1 a2 b3 b|", combine), is: ["1 3", "completed"])
        expect(played("a|", combine), is: ["completed"])
    }

    @Test("ends immediately when one input fails or is interrupted, whatever is queued", arguments: forms.indices)
    func ends(form: Int) {
        let combine = forms[form].combine
        expect(played("a1 a2 bX", combine), is: ["error first"])
        expect(played("a1 b2 aX", combine), is: ["1 2", "error first"])
        expect(played("a1 a!", combine), is: ["interrupted"])
        expect(played("a1 a2 a| b3 b!", combine), is: ["1 3", "interrupted"])
    }

    @Test("accepts a parameter pack of any length and any types")
    func pack() {
        let text = SignalProducer<String, TestError>(["a", "b"])
        let flags = SignalProducer<Bool, TestError>([true, false])
        let halves = SignalProducer<Double, TestError>([0.5, 1.5])
        expect(SignalProducer.zip(text).logged().count, is: 3)
        #expect(
            SignalProducer.zip(halves, flags, text).logged().all
                == [#"(0.5, true, "a")"#, #"(1.5, false, "b")"#, "completed"])
        #expect(
            SignalProducer.zip(halves, flags, Numbers(value: 1), text).logged().all
                == [#"(0.5, true, 1, "a")"#, "completed"])
    }

    @Test("cancels all of many inputs when one fails")
    func cancels() {
        let inputs = (0..<4).map { _ in Manual() }
        let pack = SignalProducer.zip(
            inputs[0].producer, inputs[1].producer, inputs[2].producer, inputs[3].producer
        ).logged()
        inputs[2].input?.sendError(.second)
        expect(pack.all, is: ["error second"])
        expect(inputs.map(\.disposals.value), is: [1, 1, 1, 1])
        let collection = Numbers.zip(inputs.map(\.producer)).logged()
        inputs[3].input?.sendInterrupted()
        expect(collection.all, is: ["interrupted"])
        expect(inputs.map(\.disposals.value), is: [2, 2, 2, 2])
    }

    @Test("does not start the inputs that follow one that has failed, or completed without a value")
    func notBegun() {
        for form in forms {
            for end in [Event<Int, TestError>.completed, .error(.first)] {
                let other = Manual()
                expect(form.combine(ending(with: end), other.producer).logged().all, is: [end.text], "\(form.name)")
                expect(other.starts.value, is: 0, "\(form.name)")
            }
        }
    }

    @Test("stops an endless source with the last pair", arguments: forms.indices.dropLast())
    func endless(form: Int) {
        let asked = Counter()
        let log = forms[form].combine(Numbers([7, 8]), Numbers(CountedNumbers(asked))).logged()
        expect(log.all, is: ["7 0", "8 1", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("releases queued values when it ends")
    func releases() {
        expectReleases { source, member in source.zip(with: SignalProducer([member, member])) }
        expectReleases { source, member in Numbers.zip([source, Numbers.never.on(disposed: { member.touch() })]) }
    }

    @Test("is named after its inputs")
    func name() {
        let (a, b) = (Numbers.never.named("a"), Numbers.never.named("b"))
        expect(SignalProducer.zip(a, b).name, is: "+zip: (a, b)")
        expect(a.zip(with: b).name, is: "+zip: (a, b)")
        expect(SignalProducer.zip(a, b, a).name, is: "+zip: (a, b, a)")
        expect(Numbers.zip([a, b]).name, is: "+zip: (a, b)")
    }
}
