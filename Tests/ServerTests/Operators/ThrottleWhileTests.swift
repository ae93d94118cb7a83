import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("throttle(while:on:)", .watched)
struct ThrottleWhileTests {
    private let isBusy = MutableProperty(false)
    private let scheduler = TestScheduler()
    private let pipe = Signal<Int, TestError>.pipe()

    private func throttled() -> Log<String> {
        pipe.output.throttle(while: isBusy, on: scheduler).logged()
    }

    @Test("delivers on the scheduler while the property is false")
    func passing() {
        let log = throttled()
        pipe.input.sendNext(1)
        expect(log.all, is: [])
        scheduler.advance()
        pipe.input.sendNext(2)
        pipe.input.sendCompleted()
        scheduler.advance()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("holds the latest value while the property is true, and sends it when the property becomes false")
    func holding() {
        let log = throttled()
        isBusy.value = true
        pipe.input.sendNext(1)
        pipe.input.sendNext(2)
        scheduler.advance()
        expect(log.all, is: [])
        isBusy.value = false
        scheduler.advance()
        expect(log.all, is: ["2"])
        isBusy.value = true
        isBusy.value = false
        pipe.input.sendNext(3)
        scheduler.advance()
        expect(log.all, is: ["2", "3"])
        pipe.input.sendCompleted()
        scheduler.advance()
    }

    @Test("begins in the state of the property")
    func initial() {
        isBusy.value = true
        let log = throttled()
        pipe.input.sendNext(1)
        scheduler.advance()
        expect(log.all, is: [])
        isBusy.value = false
        scheduler.advance()
        expect(log.all, is: ["1"])
        pipe.input.sendCompleted()
        scheduler.advance()
    }

    @Test("drops the held value at the end", arguments: ["error first", "completed", "interrupted"])
    func ends(_ end: String) {
        let log = throttled()
        pipe.input.sendNext(1)
        isBusy.value = true
        pipe.input.sendNext(2)
        switch end {
        case "completed": pipe.input.sendCompleted()
        case "interrupted": pipe.input.sendInterrupted()
        default: pipe.input.sendError(.first)
        }
        scheduler.advance()
        isBusy.value = false
        scheduler.advance()
        expect(log.all, is: ["1", end])
    }

    @Test("keeps its state when the property ends", arguments: [true, false])
    func endOfProperty(isHolding: Bool) {
        let log = Log<String>()
        do {
            let property = MutableProperty(isHolding)
            pipe.output.throttle(while: property, on: scheduler).observe { log.append($0.text) }
        }
        pipe.input.sendNext(1)
        scheduler.advance()
        pipe.input.sendCompleted()
        scheduler.advance()
        #expect(log.all == (isHolding ? ["completed"] : ["1", "completed"]))
    }

    @Test("on producers, does not retain the property, and keeps its last value", arguments: [true, false])
    func doesNotRetain(isHolding: Bool) {
        let ended = Counter()
        let producer: SignalProducer<Int, TestError>
        let before: Log<String>
        do {
            let property = MutableProperty(isHolding)
            property.lifetime.observeEnded { ended.increment() }
            producer = SignalProducer(pipe.output).throttle(while: property, on: scheduler)
            before = Log<String>()
            producer.start { before.append($0.text) }
        }
        expect(ended.value, is: 1)
        let after = Log<String>()
        producer.start { after.append($0.text) }
        pipe.input.sendNext(1)
        scheduler.advance()
        pipe.input.sendCompleted()
        scheduler.advance()
        #expect(before.all == (isHolding ? ["completed"] : ["1", "completed"]))
        expect(after.all, is: before.all)
    }

    @Test("on producers, holds values separately for each start, and none after the end")
    func producers() {
        let population = Population()
        do {
            let producer = SignalProducer(pipe.output).map { [population] _ in population.member() }
                .throttle(while: isBusy, on: scheduler)
            let (first, second) = (Counter(), Counter())
            let start = producer.start { if case .next = $0 { first.increment() } }
            producer.start { if case .next = $0 { second.increment() } }
            isBusy.value = true
            pipe.input.sendNext(1)
            expect(population.alive, is: 2)
            start.dispose()
            expect(population.alive, is: 1)
            isBusy.value = false
            scheduler.advance()
            #expect((first.value, second.value) == (0, 1))
            pipe.input.sendCompleted()
            scheduler.advance()
        }
        expect(population.alive, is: 0)
    }

    @Test("loses only replaced values when threads turn it on and off", arguments: 0..<5)
    func threads(_ round: Int) {
        let last = Locked(0)
        let mistakes = Counter()
        pipe.output.throttle(while: isBusy, on: ImmediateScheduler()).observe { event in
            guard case .next(let value) = event else { return }
            let former = last.withLock { last in
                defer { last = value }
                return last
            }
            if value <= former { mistakes.increment() }
        }
        onThreads(2, "throttle") { [isBusy, pipe] thread in
            for index in 1...1_000 {
                if thread == 0 { pipe.input.sendNext(index) } else { isBusy.value = index.isMultiple(of: 2) }
            }
        }
        isBusy.value = false
        expect(last.withLock { $0 }, is: 1_000)
        expect(mistakes.value, is: 0)
        pipe.input.sendCompleted()
    }
}
