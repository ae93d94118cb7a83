import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("observe(on:)")
struct ObserveOnTests {
    @Test("delivers all events in order, and only once the scheduler runs")
    func order() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = source.observe(on: scheduler).logged()
            for value in 1...3 { input.sendNext(value) }
            input.send(event)
            #expect(log.all.isEmpty)
            scheduler.advance()
            expect(log.all, is: ["1", "2", "3", event.text])
        }
    }

    @Test("on an immediate scheduler, delivers before sending returns")
    func immediate() {
        let (source, input) = Source.pipe()
        let log = source.observe(on: ImmediateScheduler()).logged()
        input.sendNext(1)
        expect(log.all, is: ["1"])
        input.sendError(.first)
        expect(log.all, is: ["1", "error first"])
    }

    @Test("drops pending events when its last observer is disposed of")
    func disposal() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Signal<Population.Member, Never>.pipe()
        let count = Counter()
        let disposable = source.observe(on: scheduler).observe { _ in count.increment() }
        input.sendNext(population.member())
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
        input.sendNext(population.member())
        expect(population.alive, is: 0)
        scheduler.advance()
        expect(count.value, is: 0)
    }

    @Test("drops the rest of a batch when it is disposed of during the batch")
    func disposalInside() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let disposable = SerialDisposable()
        disposable.inner = source.observe(on: scheduler).observe { event in
            log.append(event.text)
            if event.value == 2 { disposable.dispose() }
        }
        for value in 1...4 { input.sendNext(value) }
        scheduler.advance()
        expect(log.all, is: ["1", "2"])
    }

    @Test("delivers pending events in one scheduler action, and lets other actions run between batches")
    func batches() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.observe(on: scheduler).observe { event in
            log.append(event.text)
            if event.value == 1 {
                input.sendNext(3)
                scheduler.schedule { log.append("another's second") }
            }
        }
        input.sendNext(1)
        scheduler.schedule { log.append("another's first") }
        input.sendNext(2)
        scheduler.advance()
        expect(log.all, is: ["1", "2", "another's first", "another's second", "3"])
        input.sendNext(4)
        input.sendCompleted()
        scheduler.advance()
        expect(log.all.suffix(2), is: ["4", "completed"])
    }

    @Test("on a queue, delivers there in the order of sending")
    func queue() {
        let scheduler = QueueScheduler()
        let (source, input) = Source.pipe()
        let log = Log<Int>()
        let foreign = Counter()
        let done = Latch("observe(on: queue)")
        source.observe(on: scheduler).observe { event in
            if CurrentScheduler.value !== scheduler { foreign.increment() }
            if let value = event.value { log.append(value) } else { done.open() }
        }
        for value in 0..<10_000 { input.sendNext(value) }
        input.sendCompleted()
        done.wait()
        expect(log.all, is: Array(0..<10_000))
        expect(foreign.value, is: 0)
    }

    @Test("delivers the interruption of a source that has already ended on the scheduler")
    func ended() {
        let scheduler = TestScheduler()
        let log = Source.empty.observe(on: scheduler).logged()
        #expect(log.all.isEmpty)
        scheduler.advance()
        expect(log.all, is: ["interrupted"])
    }

    @Test("is interrupted when the input is released, after earlier values")
    func released() {
        let scheduler = TestScheduler()
        let log: Log<String> = {
            let (source, input) = Source.pipe()
            let log = source.observe(on: scheduler).logged()
            input.sendNext(1)
            return log
        }()
        scheduler.advance()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("releases the source once the terminal event is delivered")
    func releases() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let result = {
            let member = population.member()
            return source.map { value in
                member.touch()
                return value
            }.observe(on: scheduler)
        }()
        input.sendCompleted()
        scheduler.advance()
        expect(population.alive, is: 0)
        withExtendedLifetime(result) {}
    }
}
