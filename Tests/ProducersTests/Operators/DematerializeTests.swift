import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("dematerialize of producers")
struct DematerializeTests {
    private typealias Events = SignalProducer<Event<Int, TestError>, Never>

    @Test("sends the materialized events, and ends with a terminal one", arguments: terminals)
    func events(terminal: Event<Int, TestError>) {
        let numbers: Numbers = Events([.next(1), .next(2), terminal, .next(3)]).dematerialize()
        expect(numbers.logged().all, is: ["1", "2", terminal.text])
        expect(Numbers([1]).concat(ending(with: terminal)).materialize().dematerialize().logged().all.first, is: "1")
        expect(ending(with: terminal).materialize().dematerialize().logged().all, is: [terminal.text])
    }

    @Test("completes or is interrupted with the outer producer without a materialized terminal event")
    func outer() {
        expect(Events([.next(1)]).dematerialize().logged().all, is: ["1", "completed"])
        expect(Events.interrupted.dematerialize().logged().all, is: ["interrupted"])
    }

    @Test("cancels the work at a materialized terminal event, and computes no further event", arguments: terminals)
    func stops(terminal: Event<Int, TestError>) {
        let trigger = Trigger()
        let log = trigger.producer.map { $0 == 2 ? terminal : .next($0) }.dematerialize().logged()
        trigger.input?.sendNext(1)
        expect(trigger.disposals.value, is: 0)
        trigger.input?.sendNext(2)
        expect(trigger.disposals.value, is: 1)
        expect(log.all, is: ["1", terminal.text])
        let asked = Counter()
        let numbers = SignalProducer<Int, Never>(CountedNumbers(asked)).map { $0 == 2 ? terminal : .next($0) }
        expect(numbers.dematerialize().logged().all, is: ["0", "1", terminal.text])
        expect(asked.value, is: 3)
    }

    @Test("reverses materialize, separately for each start")
    func follows() { expectFollows { $0.materialize().dematerialize() } }

    @Test("has the operator's name")
    func name() {
        let numbers: Numbers = Events.never.dematerialize()
        expect(numbers.name, is: "[never] -dematerialize")
    }
}
