import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("exactlyOne(orError:) of producers")
struct ExactlyOneTests {
    @Test("sends the only value on completion, and fails if there is none or more than one")
    func exactlyOne() {
        for (values, result) in [([], ["error second"]), ([1], ["1", "completed"]), ([1, 2], ["error second"])] {
            let producer = Numbers(values).exactlyOne(orError: .second)
            for _ in 0..<2 { expect(producer.logged().all, is: result) }
            let safe: Numbers = SignalProducer<Int, Never>(values).exactlyOne(orError: .second)
            expect(safe.logged().all, is: result)
        }
    }

    @Test("cancels the work with the second value, and computes no further value")
    func stops() {
        let manual = Manual()
        let log = manual.producer.exactlyOne(orError: .second).logged()
        manual.input?.sendNext(1)
        #expect(log.all.isEmpty)
        expect(manual.disposals.value, is: 0)
        manual.input?.sendNext(2)
        expect(manual.disposals.value, is: 1)
        expect(log.all, is: ["error second"])
        let asked = Counter()
        expect(Numbers(CountedNumbers(asked)).exactlyOne(orError: .first).logged().all, is: ["error first"])
        expect(asked.value, is: 2)
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: [], flushed: ["1"]) { $0.exactlyOne(orError: .second) } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.prefix(value: 1).map { _ in member }.exactlyOne(orError: .second) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.exactlyOne(orError: .first).name, is: "[never] -exactlyOne(orError:)")
    }
}
