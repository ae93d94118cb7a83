import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("attemptMap of producers")
struct AttemptMapTests {
    private let halving: @Sendable (Int) throws(TestError) -> Double = { number throws(TestError) in
        if number == 2 { throw .second }
        return Double(number) / 2
    }
    private let result: @Sendable (Int) -> Result<Double, TestError> = {
        $0 == 2 ? .failure(.second) : .success(Double($0) / 2)
    }

    @Test("sends the closure's results, and its first failure as the error")
    func attempts() {
        expect(Numbers([1, 3]).attemptMap(halving).logged().all, is: ["0.5", "1.5", "completed"])
        expect(Numbers([1, 2, 3]).attemptMap(halving).logged().all, is: ["0.5", "error second"])
        expect(Numbers([1, 3]).attemptMap(result).logged().all, is: ["0.5", "1.5", "completed"])
        expect(Numbers([1, 2, 3]).attemptMap(result).logged().all, is: ["0.5", "error second"])
    }

    @Test("accepts a closure that throws any error, and one that cannot throw")
    func failures() {
        let any = SignalProducer<Int, any Error>(value: 1).attemptMap { _ -> Int in throw TestError.first }
        expect(any.logged().all, is: ["error first"])
        #expect(SignalProducer<Int, Never>([1, 2]).attemptMap { $0 * 2 }.logged().all == ["2", "4", "completed"])
    }

    @Test("cancels the work at the failure and computes no further value")
    func stops() {
        for attempt: @Sendable (Numbers) -> SignalProducer<Double, TestError> in [
            { $0.attemptMap(halving) }, { $0.attemptMap(result) },
        ] {
            let manual = Manual()
            let log = attempt(manual.producer).logged()
            manual.input?.sendNext(1)
            expect(manual.disposals.value, is: 0)
            manual.input?.sendNext(2)
            expect(manual.disposals.value, is: 1)
            expect(log.all, is: ["0.5", "error second"])
            let asked = Counter()
            expect(attempt(Numbers(CountedNumbers(asked))).logged().all, is: ["0.0", "0.5", "error second"])
            expect(asked.value, is: 3)
        }
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: ["0.5"]) { $0.attemptMap(halving) }
        expectFollows(values: ["0.5"]) { $0.attemptMap(result) }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.attemptMap { member.through($0) } }
        expectReleases { source, member in source.attemptMap { .success(member.through($0)) } }
    }

    @Test("accepts a closure that returns a result")
    func results() {
        let half: @Sendable (Int) -> Result<Double, TestError> = {
            $0 == 2 ? .failure(.second) : .success(Double($0) / 2)
        }
        expect(Numbers([1, 2, 3]).attemptMap { half($0) }.logged().all, is: ["0.5", "error second"])
        expect(Numbers([1, 2, 3]).attemptMap(half).logged().all, is: ["0.5", "error second"])
    }

    @Test("adopts the closure's error type for a producer that cannot fail")
    func promotes() {
        let half: @Sendable (Int) -> Result<Double, TestError> = {
            $0 == 2 ? .failure(.second) : .success(Double($0) / 2)
        }
        let safe = SignalProducer<Int, Never>([1, 2, 3])
        let any: SignalProducer<Double, any Error> = safe.attemptMap { try half($0).get() }
        expect(any.logged().all, is: ["0.5", "error second"])
        expect(safe.attemptMap(halving).logged().all, is: ["0.5", "error second"])
        expect(safe.attemptMap { half($0) }.logged().all, is: ["0.5", "error second"])
        let same: SignalProducer<Double, Never> = safe.attemptMap { Double($0) }
        expect(same.logged().all, is: ["1.0", "2.0", "3.0", "completed"])
        #expect(SignalProducer<Int, Never>.never.attemptMap { Double($0) }.name == "[never] -attemptMap:")
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.attemptMap(halving).name, is: "[never] -attemptMap:")
        expect(Numbers.never.attemptMap(result).name, is: "[never] -attemptMap:")
    }
}
