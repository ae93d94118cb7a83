import ReactiveSignals
import TestSupport
import Testing

@Suite("skip(until:)")
struct SkipUntilTests {
    @Test("matches its documentation's diagram")
    func diagram() {
        expect(
            played("--1--2--3--4--|", "-------x", { $0.skip(until: $1) }, drawing: \.self), is: "--------3--4--|")
    }

    @Test("drops values until the trigger's first value or completion, and always ends with the source")
    func model() {
        expectModel(others: [.next(0), .completed, .interrupted]) { (source, trigger: Signal<Int, Never>) in
            source.skip(until: trigger)
        } does: { steps in
            var isOpen = false
            return steps.compactMap { step in
                switch step {
                case .source(.next(let value)): return isOpen ? "\(value)" : nil
                case .source(let event): return event.text
                case .other(.interrupted): return nil
                case .other:
                    isOpen = true
                    return nil
                }
            }
        }
    }

    @Test("sends only the terminal event if the trigger has already ended")
    func endedTrigger() {
        let (completed, trigger) = Signal<Void, Never>.pipe()
        trigger.sendNext()
        trigger.sendCompleted()
        for ended in [Signal<Void, Never>.empty, completed] {
            let (source, input) = Source.pipe()
            let log = source.skip(until: ended).logged()
            input.sendNext(1)
            input.sendCompleted()
            expect(log.all, is: ["completed"])
        }
    }

    @Test("sends no value if the input of the trigger is released")
    func releasedTrigger() {
        let (source, input) = Source.pipe()
        let log = {
            let (signal, trigger) = Signal<Void, Never>.pipe()
            defer { withExtendedLifetime(trigger) {} }
            return source.skip(until: signal).logged()
        }()
        input.sendNext(1)
        input.sendError(.second)
        expect(log.all, is: ["error second"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.skip(until: Signal<Void, Never>.never) } }

    @Test("releases the trigger once it has fired")
    func letsGoOfTrigger() {
        for event in [Event<Int, Never>.next(1), .completed] {
            let population = Population()
            let (source, input) = Source.pipe()
            let (trigger, triggerInput) = Signal<Int, Never>.pipe()
            let log = source.skip(until: trigger.holding(population.member())).logged()
            input.sendNext(1)
            expect(population.alive, is: 1)
            triggerInput.send(event)
            expect(population.alive, is: 0)
            triggerInput.sendNext(2)
            input.sendNext(2)
            expect(log.all, is: ["2"])
        }
    }

    @Test("with itself as the trigger, sends from the first value, as it observes the trigger first")
    func itself() {
        let (source, input) = Signal<Int, Never>.pipe()
        let log = source.skip(until: source).logged()
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("starts sending when an observer of the source fires the trigger")
    func firedInside() {
        let (source, input) = Source.pipe()
        let (trigger, triggerInput) = Signal<Void, Never>.pipe()
        let log = Log<String>()
        source.observe { if $0.value == 2 { triggerInput.sendNext() } }
        source.skip(until: trigger).observe { event in
            log.append(event.text)
            if event.value == 2 { input.sendNext(3) }
            if event.value == 3 { input.sendCompleted() }
        }
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["2", "3", "completed"])
    }

    @Test("releases source and trigger when it is no longer observed or retained, and when it ends")
    func letsGo() {
        let population = Population()
        let (source, input) = Source.pipe()
        let (trigger, triggerInput) = Signal<Int, Never>.pipe()
        _ = source.holding(population.member()).skip(until: trigger.holding(population.member()))
        expect(population.alive, is: 0, "nobody ever observed")
        let disposable = source.holding(population.member()).skip(until: trigger.holding(population.member()))
            .observe { _ in }
        expect(population.alive, is: 2)
        disposable?.dispose()
        expect(population.alive, is: 0, "disposed of")
        let result = source.holding(population.member()).skip(until: trigger.holding(population.member()))
        expect(population.alive, is: 2, "held")
        input.sendInterrupted()
        expect(population.alive, is: 0, "ended")
        expect(result.logged().all, is: ["interrupted"])
        withExtendedLifetime(triggerInput) {}
    }

    @Test("sends consecutive values when the trigger fires on another thread")
    func threads() {
        for _ in 0..<200 {
            let (source, input) = Source.pipe()
            let (trigger, triggerInput) = Signal<Void, Never>.pipe()
            let log = Log<Int>()
            source.skip(until: trigger).observe { if let value = $0.value { log.append(value) } }
            onThreads(2, "skip(until:)") { index in
                if index == 0 { return triggerInput.sendNext() }
                for value in 1...20 { input.sendNext(value) }
            }
            expect(log.all, is: Array((1...20).suffix(log.count)))
            input.sendNext(21)
            expect(log.all.last, is: 21)
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.skip(until: Signal<Void, Never>.never).name, is: "[never] -skip(until:)")
    }
}
