import ReactiveSignals
import TestSupport
import Testing

@Suite("withLatest(from:)")
struct WithLatestTests {
    @Test("matches its documentation's diagram")
    func diagram() {
        expect(
            played(
                "--1-----2--3-----|", "----a--------b-----", { $0.withLatest(from: $1) }, drawing: { $0.0 + $0.1 }),
            is: "--------2a-3a----|")
    }

    @Test("sends each value with the other signal's latest value once there is one, and ends with the source alone")
    func model() {
        expectModel(others: [.next(0), .completed, .interrupted]) { (source, other: Signal<Int, Never>) in
            source.withLatest(from: other)
        } does: { steps in
            var latest: Int?
            return steps.compactMap { step in
                switch step {
                case .source(.next(let value)): return latest.map { "(\(value), \($0))" }
                case .source(let event): return event.text
                case .other(let event):
                    latest = event.value ?? latest
                    return nil
                }
            }
        }
    }

    @Test("sends only the terminal event if the other signal has already ended")
    func endedOther() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let (source, input) = Source.pipe()
            let log = source.withLatest(from: Signal<Int, Never>.empty).logged()
            input.sendNext(1)
            input.send(event)
            expect(log.all, is: [event.text])
        }
    }

    @Test("keeps the latest value of a signal whose input is released")
    func releasedOther() {
        let (source, input) = Source.pipe()
        let log = {
            let (other, otherInput) = Signal<Int, Never>.pipe()
            let log = source.withLatest(from: other).logged()
            otherInput.sendNext(7)
            return log
        }()
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["(1, 7)", "(2, 7)"])
    }

    @Test("treats nil as a value")
    func optional() {
        let (source, input) = Source.pipe()
        let (other, otherInput) = Signal<Int?, Never>.pipe()
        let log = source.withLatest(from: other).logged()
        input.sendNext(1)
        otherInput.sendNext(nil)
        input.sendNext(2)
        expect(log.all, is: ["(2, nil)"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.withLatest(from: Signal<Int, Never>.never) } }

    @Test("combined with itself, pairs each value with itself, as it observes the other signal first")
    func itself() {
        let (source, input) = Signal<Int, Never>.pipe()
        let log = source.withLatest(from: source).logged()
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["(1, 1)", "(2, 2)", "completed"])
    }

    @Test("delivers events that its observer sends to both inputs in order")
    func reentrant() {
        let (source, input) = Source.pipe()
        let (other, otherInput) = Signal<Int, Never>.pipe()
        let log = Log<String>()
        source.withLatest(from: other).observe { event in
            log.append(event.text)
            guard let (value, _) = event.value, value < 3 else { return }
            otherInput.sendNext(value * 10)
            input.sendNext(value + 1)
        }
        otherInput.sendNext(0)
        input.sendNext(1)
        expect(log.all, is: ["(1, 0)", "(2, 10)", "(3, 20)"])
        input.sendInterrupted()
    }

    @Test("retains one value, and releases it when it ends and on disposal")
    func releases() {
        for ending in [Event<Int, TestError>.error(.first), .interrupted, .completed] {
            let population = Population()
            let (source, input) = Source.pipe()
            let (other, otherInput) = Signal<Population.Member, Never>.pipe()
            let result = source.withLatest(from: other)
            for _ in 0..<3 { otherInput.sendNext(population.member()) }
            expect(population.alive, is: 1)
            otherInput.sendCompleted()
            expect(population.alive, is: 1)
            input.sendNext(1)
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
        let population = Population()
        let (source, input) = Source.pipe()
        let (other, otherInput) = Signal<Population.Member, Never>.pipe()
        _ = source.withLatest(from: other)
        otherInput.sendNext(population.member())
        expect(population.alive, is: 0, "nobody ever observed")
        let disposable = source.withLatest(from: other).observe { _ in }
        otherInput.sendNext(population.member())
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0, "disposed of")
        otherInput.sendNext(population.member())
        expect(population.alive, is: 0)
        withExtendedLifetime(input) {}
    }

    @Test("releases the other signal when the source ends")
    func letsGo() {
        let population = Population()
        let (source, input) = Source.pipe()
        let (other, otherInput) = Signal<Int, Never>.pipe()
        let log = source.withLatest(from: other.holding(population.member())).logged()
        otherInput.sendNext(1)
        expect(population.alive, is: 1)
        input.sendCompleted()
        expect(population.alive, is: 0)
        expect(log.all, is: ["completed"])
    }

    @Test("sends every value once, never with an older latest value, when both inputs send from different threads")
    func threads() {
        let (source, input) = Source.pipe()
        let (other, otherInput) = Signal<Int, Never>.pipe()
        let log = Log<[Int]>()
        source.withLatest(from: other).observe { if let (value, latest) = $0.value { log.append([value, latest]) } }
        otherInput.sendNext(0)
        onThreads(2, "withLatest(from:)") { index in
            for value in 1...1_000 { if index == 0 { input.sendNext(value) } else { otherInput.sendNext(value) } }
        }
        expect(log.all.map { $0[0] }, is: Array(1...1_000))
        expect(log.all.map { $0[1] }, is: log.all.map { $0[1] }.sorted())
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.withLatest(from: Signal<Int, Never>.never).name, is: "[never] -withLatest(from:)")
    }
}
