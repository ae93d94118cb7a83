import ReactiveSignals
import TestSupport
import Testing

@Suite("collect(until:)")
struct CollectUntilTests {
    @Test("sends the collected values at each trigger value, and the rest on completion")
    func model() {
        expectModel(others: [.next(0), .completed, .interrupted]) { (source, trigger: Signal<Int, Never>) in
            source.collect(until: trigger)
        } does: { steps in
            var values: [Int] = []
            return steps.flatMap { step -> [String] in
                switch step {
                case .source(.next(let value)):
                    values.append(value)
                    return []
                case .other(.next):
                    defer { values = [] }
                    return ["\(values)"]
                case .other: return []
                case .source(.completed): return (values.isEmpty ? [] : ["\(values)"]) + ["completed"]
                case .source(let event): return [event.text]
                }
            }
        }
    }

    @Test("collects until the source completes if the trigger has already ended")
    func ended() {
        let (source, input) = Source.pipe()
        let log = source.collect(until: Signal<Int, Never>.empty).logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["[1]", "completed"])
        expect(Source.empty.collect(until: Signal<Int, Never>.never).logged().all, is: ["interrupted"])
    }

    @Test("delivers events that its observer sends to both inputs in order")
    func reentrant() {
        let (source, input) = Source.pipe()
        let (trigger, tick) = Signal<Int, Never>.pipe()
        let log = Log<String>()
        source.collect(until: trigger).observe { event in
            log.append(event.text)
            if event.value == [1] {
                input.sendNext(2)
                tick.sendNext(0)
                log.append("returns")
            }
        }
        input.sendNext(1)
        tick.sendNext(0)
        expect(log.all, is: ["[1]", "returns", "[2]"])
        input.sendInterrupted()
    }

    @Test("releases its values when the source ends and on disposal")
    func releases() {
        for ending in [Event<Population.Member, TestError>.error(.first), .interrupted, .completed] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let (trigger, tick) = Signal<Int, Never>.pipe()
            let result = source.collect(until: trigger)
            for _ in 0..<3 { input.sendNext(population.member()) }
            expect(population.alive, is: 3)
            tick.sendNext(0)
            expect(population.alive, is: 0)
            input.sendNext(population.member())
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
        let population = Population()
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let (trigger, tick) = Signal<Int, Never>.pipe()
        let disposable = source.collect(until: trigger).observe { _ in }
        input.sendNext(population.member())
        disposable?.dispose()
        expect(population.alive, is: 0)
        withExtendedLifetime(tick) {}
    }

    @Test("loses and reorders no values when source and trigger send from different threads")
    func threads() {
        let (source, input) = Source.pipe()
        let (trigger, tick) = Signal<Int, Never>.pipe()
        let values = Log<Int>()
        let ends = Log<String>()
        source.collect(until: trigger).observe { event in
            guard let array = event.value else { return ends.append(event.text) }
            for value in array { values.append(value) }
        }
        onThreads(2, "collect(until:)") { index in
            for value in 1...1_000 { if index == 0 { input.sendNext(value) } else { tick.sendNext(value) } }
            if index == 0 { input.sendCompleted() }
        }
        expect(values.all, is: Array(1...1_000))
        expect(ends.all, is: ["completed"])
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.collect(until: Signal<Int, Never>.never).name, is: "[never] -collect(until:)")
    }
}
