import ReactiveSignals
import TestSupport
import Testing

@Suite("take(until:)")
struct TakeUntilTests {
    @Test("matches its documentation's diagram")
    func diagram() {
        expect(
            played("--1--2--3--4--|", "--------x", { $0.take(until: $1) }, drawing: \.self), is: "--1--2--|")
    }

    @Test("completes at the trigger's first value or completion, and otherwise ends with the source")
    func model() {
        expectModel(others: [.next(0), .completed, .interrupted]) { (source, trigger: Signal<Int, Never>) in
            source.take(until: trigger)
        } does: { steps in
            steps.compactMap { step in
                switch step {
                case .source(let event): event.text
                case .other(.interrupted): nil
                case .other: "completed"
                }
            }
        }
    }

    @Test("ignores a trigger that has already ended")
    func endedTrigger() {
        let (completed, trigger) = Signal<Void, Never>.pipe()
        trigger.sendNext()
        trigger.sendCompleted()
        for ended in [Signal<Void, Never>.empty, completed] {
            let (source, input) = Source.pipe()
            let log = source.take(until: ended).logged()
            input.sendNext(1)
            input.sendCompleted()
            expect(log.all, is: ["1", "completed"])
        }
    }

    @Test("ignores a trigger whose input is released")
    func releasedTrigger() {
        let (source, input) = Source.pipe()
        let log = {
            let (signal, trigger) = Signal<Void, Never>.pipe()
            defer { withExtendedLifetime(trigger) {} }
            return source.take(until: signal).logged()
        }()
        input.sendNext(1)
        expect(log.all, is: ["1"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.take(until: Signal<Void, Never>.never) } }

    @Test("with itself as the trigger, completes instead of sending, as it observes the trigger first")
    func itself() {
        let (source, input) = Signal<Int, Never>.pipe()
        let log = source.take(until: source).logged()
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["completed"])

        let (other, otherInput) = Signal<Int, Never>.pipe()
        let second = other.take(until: other.filter { $0 == 2 }).logged()
        for value in 1...3 { otherInput.sendNext(value) }
        expect(second.all, is: ["1", "completed"])
    }

    @Test("completes without further source values when its observer fires the trigger")
    func firedInside() {
        let (source, input) = Source.pipe()
        let (trigger, triggerInput) = Signal<Void, Never>.pipe()
        let log = Log<String>()
        source.take(until: trigger).observe { event in
            log.append(event.text)
            input.sendNext(9)
            triggerInput.sendNext()
        }
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all.first, is: "1")
        expect(log.all.last, is: "completed")
        #expect(!log.all.contains("2"))
    }

    @Test("delivers re-entrant events in order")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.take(until: Signal<Void, Never>.never).observe { event in
            log.append("begin \(event.text)")
            if let value = event.value, value < 3 { input.sendNext(value + 1) }
            log.append("end \(event.text)")
        }
        input.sendNext(1)
        expect(log.all, is: ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
        input.sendInterrupted()
    }

    @Test("releases source and trigger when it is no longer observed or retained, and when it ends")
    func letsGo() {
        let population = Population()
        let (source, input) = Source.pipe()
        let (trigger, triggerInput) = Signal<Int, Never>.pipe()
        _ = source.holding(population.member()).take(until: trigger.holding(population.member()))
        expect(population.alive, is: 0, "nobody ever observed")
        let result = source.holding(population.member()).take(until: trigger.holding(population.member()))
        result.observe { _ in }?.dispose()
        expect(population.alive, is: 2, "held")
        triggerInput.sendNext(1)
        expect(population.alive, is: 0, "ended")
        expect(result.logged().all, is: ["interrupted"])
        withExtendedLifetime(input) {}
    }

    @Test("ends once when the trigger races with the end of the source")
    func race() {
        for _ in 0..<500 {
            let (source, input) = Source.pipe()
            let (trigger, triggerInput) = Signal<Void, Never>.pipe()
            let log = source.take(until: trigger).logged()
            onThreads(2, "take(until:)") { index in
                if index == 0 { triggerInput.sendNext() } else { input.sendError(.first) }
            }
            #expect(log.all == ["completed"] || log.all == ["error first"])
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.take(until: Signal<Void, Never>.never).name, is: "[never] -take(until:)")
    }
}
