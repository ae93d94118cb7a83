import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("attempt of producers")
struct AttemptTests {
    private let throwing: @Sendable (Int) throws(TestError) -> Void = { number throws(TestError) in
        if number == 2 { throw .second }
    }

    @Test("forwards values that succeed, and the first failure as the error")
    func attempts() {
        expect(Numbers([1, 3]).attempt(throwing).logged().all, is: ["1", "3", "completed"])
        expect(Numbers([1, 2, 3]).attempt(throwing).logged().all, is: ["1", "error second"])
        let result: @Sendable (Int) -> Result<Void, TestError> = { $0 == 2 ? .failure(.second) : .success(()) }
        expect(Numbers([1, 3]).attempt(result).logged().all, is: ["1", "3", "completed"])
        expect(Numbers([1, 2, 3]).attempt(result).logged().all, is: ["1", "error second"])
    }

    @Test("accepts a closure that throws any error, and one that cannot throw")
    func failures() {
        let any = SignalProducer<Int, any Error>(value: 1).attempt { _ in throw TestError.first }
        expect(any.logged().all, is: ["error first"])
        let seen = Log<Int>()
        #expect(
            SignalProducer<Int, Never>([1, 2]).attempt { seen.append($0) }.logged().all == ["1", "2", "completed"])
        expect(seen.all, is: [1, 2])
    }

    @Test("accepts a closure that returns a result with any success type")
    func results() {
        let half: @Sendable (Int) -> Result<Int, TestError> = { $0 == 2 ? .failure(.second) : .success($0 / 2) }
        expect(Numbers([1, 2, 3]).attempt { half($0) }.logged().all, is: ["1", "error second"])
        expect(Numbers([1, 2, 3]).attempt(half).logged().all, is: ["1", "error second"])
        let statements = Numbers([1, 2, 3]).attempt { number in
            guard number != 2 else { return .failure(.second) }
            return .success(())
        }
        expect(statements.logged().all, is: ["1", "error second"])
    }

    @Test("adopts the closure's error type for a producer that cannot fail")
    func promotes() {
        let safe = SignalProducer<Int, Never>([1, 2, 3])
        let any: SignalProducer<Int, any Error> = safe.attempt { if $0 == 2 { throw TestError.second } }
        expect(any.logged().all, is: ["1", "error second"])
        let typed: Numbers = safe.attempt(throwing)
        expect(typed.logged().all, is: ["1", "error second"])
        let half: @Sendable (Int) -> Result<Int, TestError> = { $0 == 2 ? .failure(.second) : .success($0 / 2) }
        let result: Numbers = safe.attempt { half($0) }
        expect(result.logged().all, is: ["1", "error second"])
        let statements: Numbers = safe.attempt { number in
            guard number != 2 else { return .failure(.second) }
            return .success(())
        }
        expect(statements.logged().all, is: ["1", "error second"])
    }

    @Test("cancels the work at the failure and computes no further value")
    func stops() {
        for attempt: @Sendable (Numbers) -> Numbers in [
            { $0.attempt(throwing) }, { $0.attempt { $0 == 2 ? .failure(.second) : .success(()) } },
        ] {
            let manual = Manual()
            let log = attempt(manual.producer).logged()
            manual.input?.sendNext(1)
            expect(manual.disposals.value, is: 0)
            manual.input?.sendNext(2)
            expect(manual.disposals.value, is: 1)
            expect(log.all, is: ["1", "error second"])
            let asked = Counter()
            expect(attempt(Numbers(CountedNumbers(asked))).logged().all, is: ["0", "1", "error second"])
            expect(asked.value, is: 3)
        }
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows { $0.attempt(throwing) }
        expectFollows { $0.attempt { _ in .success(()) } }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.attempt { _ in member.touch() } }
        expectReleases { source, member in source.attempt { _ in .success(member.touch()) } }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.attempt(throwing).name, is: "[never] -attempt:")
        expect(Numbers.never.attempt { _ in .success(()) }.name, is: "[never] -attempt:")
    }
}
