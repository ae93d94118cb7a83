import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// All forms, for two producers.
private let forms: [@Sendable (Numbers, Numbers) -> Numbers] = [
    { .race($0, $1) }, { .race([$0, $1]) }, { .race($0, $1, .never) },
]

@Suite("race of producers")
struct RaceTests {
    @Test("sends only the events of the input that sends first, whatever event that is", arguments: forms.indices)
    func wins(form: Int) {
        expect(played("b1 a2 b3 b|", forms[form]), is: ["1", "3", "completed"])
        expect(played("a1 b2 aX", forms[form]), is: ["1", "error first"])
        expect(played("a1 a!", forms[form]), is: ["1", "interrupted"])
        expect(played("b|", forms[form]), is: ["completed"])
        expect(played("aX", forms[form]), is: ["error first"])
        expect(played("b!", forms[form]), is: ["interrupted"])
    }

    @Test("disposes of the losers before it forwards the first event", arguments: forms.indices)
    func losers(form: Int) {
        let (first, second) = (Manual(), Manual())
        let log = Log<String>()
        forms[form](first.producer, second.producer).start {
            log.append("\($0.text), \(first.disposals.value) \(second.disposals.value)")
        }
        second.input?.sendNext(1)
        first.input?.sendNext(9)
        second.input?.sendNext(2)
        second.input?.sendCompleted()
        expect(log.all, is: ["1, 1 0", "2, 1 0", "completed, 1 0"])
        expect(second.disposals.value, is: 1)
    }

    @Test("does not start the inputs after one that wins immediately", arguments: forms.indices)
    func unstarted(form: Int) {
        let other = Manual()
        for (winner, texts) in [
            (Numbers([1, 2]), ["1", "2", "completed"]), (.empty, ["completed"]),
            (Numbers(error: .second), ["error second"]),
            (.interrupted, ["interrupted"]),
        ] {
            expect(forms[form](winner, other.producer).logged().all, is: texts)
        }
        expect(other.starts.value, is: 0)
    }

    @Test("stops an endless winner when the result ends", arguments: forms.indices)
    func endless(form: Int) {
        let asked = Counter()
        let first = forms[form](Numbers(CountedNumbers(asked)), .never).take(first: 2)
        expect(first.logged().all, is: ["0", "1", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("races a sequence of signals, and completes if there are none")
    func sequence() {
        let pipes = (0..<2).map { _ in Signal<Int, TestError>.pipe() }
        let log = Numbers.race(pipes.map(\.output)).logged()
        pipes[1].input.sendNext(1)
        pipes[0].input.sendNext(2)
        pipes[1].input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
        expect(Numbers.race().logged().all, is: ["completed"])
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func disposal() {
        expectInterrupts { .race($0, .never) }
        expectInterrupts { .race(.never, $0) }
        expectDoesNotBegin { .race($0, $0) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.race(.never.named("a"), .never).name, is: "+race: (a, never)")
        expect(Numbers.race([Numbers.never]).name, is: "+race:")
    }
}
