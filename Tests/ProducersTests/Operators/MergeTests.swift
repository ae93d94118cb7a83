import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// The static form and its variants, for two producers.
private let forms: [@Sendable (Numbers, Numbers) -> Numbers] = [
    { .merge($0, $1) }, { $0.merge(with: $1) }, { .merge([$0, $1]) }, { .merge($0, $1, .empty) },
]

@Suite("merge of producers")
struct MergeTests {
    @Test("sends the values as they arrive, and completes when all inputs have completed", arguments: forms.indices)
    func merges(form: Int) {
        expect(played("a1 b2 b3 a4", forms[form]), is: ["1", "2", "3", "4"])
        expect(played("a1 a| b2 b|", forms[form]), is: ["1", "2", "completed"])
        expect(played("b| a1 a|", forms[form]), is: ["1", "completed"])
    }

    @Test("treats the interruption of an input as its completion", arguments: forms.indices)
    func interruption(form: Int) {
        expect(played("a! b2 b|", forms[form]), is: ["2", "completed"])
        expect(played("a1 a| b!", forms[form]), is: ["1", "completed"])
    }

    @Test("fails immediately when one input fails", arguments: forms.indices)
    func fails(form: Int) {
        expect(played("a1 bX", forms[form]), is: ["1", "error first"])
        expect(played("b1 aX", forms[form]), is: ["1", "error first"])
    }

    @Test("starts the inputs in order, and no further one once it has ended", arguments: forms.indices)
    func order(form: Int) {
        let merge = forms[form]
        expect(merge(Numbers([1, 2]), Numbers([3])).logged().all, is: ["1", "2", "3", "completed"])
        let other = Manual()
        expect(merge(Numbers(error: .first), other.producer).logged().all, is: ["error first"])
        expect(merge(Numbers([1, 2]), other.producer).take(first: 1).logged().all, is: ["1", "completed"])
        expect(other.starts.value, is: 0)
    }

    @Test("stops an endless source when the result ends", arguments: forms.indices)
    func endless(form: Int) {
        let asked = Counter()
        let log = forms[form](Numbers(value: 7), Numbers(CountedNumbers(asked))).take(first: 3).logged()
        expect(log.all, is: ["7", "0", "1", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("merges a sequence of signals, and iterates it separately for each start")
    func sequence() {
        let pipes = (0..<2).map { _ in Signal<Int, TestError>.pipe() }
        let merged = Numbers.merge(pipes.map(\.output))
        let logs = (0..<2).map { _ in merged.logged() }
        for (number, pipe) in pipes.enumerated() {
            pipe.input.sendNext(number)
            pipe.input.sendCompleted()
        }
        for log in logs { expect(log.all, is: ["0", "1", "completed"]) }
        expect(Numbers.merge().logged().all, is: ["completed"])
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func disposal() {
        expectInterrupts { $0.merge(with: Numbers.never) }
        expectInterrupts { Numbers.merge(.empty, $0) }
        expectDoesNotBegin { $0.merge(with: $0) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.merge(.never.named("a"), .never).name, is: "+merge: (a, never)")
        expect(Numbers.merge([Numbers.never]).name, is: "+merge:")
        expect(Numbers.never.merge(with: Numbers.never.named("b")).name, is: "+merge: (never, b)")
    }
}
