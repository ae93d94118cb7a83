import ReactiveSignals
import TestSupport
import Testing

/// The model of both forms: `draw` makes the text of a value and the tick that sampled it.
private func sampled(_ steps: [Step<Never>], _ draw: (_ value: Int, _ tick: Int) -> String) -> [String] {
    var latest: Int?
    var completed = 0
    return steps.compactMap { step in
        switch step {
        case .source(.next(let value)):
            latest = value
            return nil
        case .other(.next(let tick)): return latest.map { draw($0, tick) }
        case .source(.completed), .other(.completed):
            completed += 1
            return completed == 2 ? "completed" : nil
        case .source(let event): return event.text
        case .other: return "interrupted"
        }
    }
}

@Suite("sample(on:)")
struct SampleOnTests {
    @Test("matches its documentation's diagram")
    func diagram() {
        expect(
            played("--1-----2-----3--|", "----x-x---x--------|", { $0.sample(on: $1) }, drawing: \.self),
            is: "----1-1---2--------|")
    }

    @Test("sends the latest value at each tick, and completes when both inputs have completed")
    func model() {
        expectModel(others: [.next(0), .completed, .interrupted]) { (source, sampler: Signal<Int, Never>) in
            source.sample(on: sampler)
        } does: { steps in
            sampled(steps) { value, _ in "\(value)" }
        }
    }

    @Test("keeps the last value of a source that has completed")
    func goesOn() {
        let (source, input) = Source.pipe()
        let (sampler, tick) = Signal<Void, Never>.pipe()
        let log = source.sample(on: sampler).logged()
        input.sendNext(1)
        input.sendCompleted()
        tick.sendNext()
        tick.sendNext()
        tick.sendCompleted()
        expect(log.all, is: ["1", "1", "completed"])
    }

    @Test("sends nil if that is the value")
    func optional() {
        let (source, input) = Signal<Int?, Never>.pipe()
        let (sampler, tick) = Signal<Void, Never>.pipe()
        let log = source.sample(on: sampler).logged()
        tick.sendNext()
        input.sendNext(nil)
        tick.sendNext()
        expect(log.all, is: ["nil"])
    }

    @Test("interrupts its observers if an input has already ended")
    func ended() {
        let (source, input) = Source.pipe()
        expect(source.sample(on: Signal<Void, Never>.empty).logged().all, is: ["interrupted"])
        expect(Source.empty.sample(on: Signal<Void, Never>.never).logged().all, is: ["interrupted"])
        expect(terminated(.error(.first)).sample(on: Signal<Void, Never>.never).logged().all, is: ["interrupted"])
        withExtendedLifetime(input) {}
    }

    @Test("is interrupted when the input of either signal is released")
    func released() {
        let (source, input) = Source.pipe()
        let log = {
            let (sampler, tick) = Signal<Void, Never>.pipe()
            defer { withExtendedLifetime(tick) {} }
            return source.sample(on: sampler).logged()
        }()
        expect(log.all, is: ["interrupted"])
        withExtendedLifetime(input) {}
    }

    @Test("sampled on itself, sends each value, as it observes the source first")
    func itself() {
        let (source, input) = Signal<Int, Never>.pipe()
        let log = source.sample(on: source).logged()
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("delivers events that its observer sends to both inputs in order")
    func reentrant() {
        let (source, input) = Source.pipe()
        let (sampler, tick) = Signal<Void, Never>.pipe()
        let log = Log<String>()
        source.sample(on: sampler).observe { event in
            log.append("begin \(event.text)")
            if let value = event.value, value < 3 {
                input.sendNext(value + 1)
                tick.sendNext()
            }
            log.append("end \(event.text)")
        }
        input.sendNext(1)
        tick.sendNext()
        expect(log.all, is: ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
        input.sendInterrupted()
    }

    @Test("retains one value, and releases it when it ends and on disposal")
    func releases() {
        for ending in [Event<Population.Member, TestError>.error(.first), .interrupted, .completed] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let (sampler, tick) = Signal<Void, Never>.pipe()
            let result = source.sample(on: sampler)
            for _ in 0..<3 { input.sendNext(population.member()) }
            expect(population.alive, is: 1)
            tick.sendNext()
            input.send(ending)
            #expect(population.alive == (ending.isCompleted ? 1 : 0))
            tick.sendCompleted()
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
        let population = Population()
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let (sampler, tick) = Signal<Void, Never>.pipe()
        let disposable = source.sample(on: sampler).observe { _ in }
        input.sendNext(population.member())
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
        input.sendNext(population.member())
        expect(population.alive, is: 0)
        withExtendedLifetime(tick) {}
    }

    @Test("never sends an older value after a newer one when both inputs send from different threads")
    func threads() {
        let (source, input) = Source.pipe()
        let (sampler, tick) = Signal<Void, Never>.pipe()
        let log = Log<Int>()
        let ends = Log<String>()
        source.sample(on: sampler).observe { event in
            if let value = event.value { log.append(value) } else { ends.append(event.text) }
        }
        input.sendNext(0)
        onThreads(2, "sample(on:)") { index in
            for value in 1...1_000 { if index == 0 { input.sendNext(value) } else { tick.sendNext() } }
            if index == 0 { input.sendCompleted() } else { tick.sendCompleted() }
        }
        expect(log.count, is: 1_000)
        expect(log.all, is: log.all.sorted())
        expect(ends.all, is: ["completed"])
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.sample(on: Signal<Void, Never>.never).name, is: "[never] -sample(on:)")
    }
}

@Suite("sample(with:)")
struct SampleWithTests {
    @Test("matches its documentation's diagram")
    func diagram() {
        expect(
            played("--1-----2-----3--|", "----a-b---c--------|", { $0.sample(with: $1) }, drawing: { $0.0 + $0.1 }),
            is: "----1a1b--2c-------|")
    }

    @Test("sends the latest value with each tick, and completes when both inputs have completed")
    func model() {
        expectModel(others: [.next(0), .completed, .interrupted]) { (source, sampler: Signal<Int, Never>) in
            source.sample(with: sampler)
        } does: { steps in
            sampled(steps) { "(\($0), \($1))" }
        }
    }

    @Test("sampled with itself, pairs each value with itself")
    func itself() {
        let (source, input) = Signal<Int, Never>.pipe()
        let log = source.sample(with: source).logged()
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["(1, 1)", "(2, 2)", "completed"])
    }

    @Test("retains no tick")
    func releases() {
        let population = Population()
        let (source, input) = Source.pipe()
        let (sampler, tick) = Signal<Population.Member, Never>.pipe()
        let result = source.sample(with: sampler)
        tick.sendNext(population.member())
        input.sendNext(1)
        tick.sendNext(population.member())
        expect(population.alive, is: 0)
        withExtendedLifetime(result) {}
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.sample(with: Signal<Void, Never>.never).name, is: "[never] -sample(with:)")
    }
}
