import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("lazyMap(on:transform:)")
struct LazyMapTests {
    private func scheduled() -> (TestScheduler, Source.Observer, seen: Log<Int>, log: Log<String>) {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let seen = Log<Int>()
        let log = Log<String>()
        source.lazyMap(on: scheduler) { value in
            seen.append(value)
            return value * 10
        }.observe { log.append(when($0, scheduler)) }
        return (scheduler, input, seen, log)
    }

    @Test("transforms only the latest value when the scheduler runs")
    func latest() {
        let (scheduler, input, seen, log) = scheduled()
        input.sendNext(1)
        input.sendNext(2)
        #expect(seen.all.isEmpty)
        scheduler.advance()
        expect(log.all, is: ["20 at 0"])
        scheduler.advance(by: .seconds(3))
        input.sendNext(3)
        input.sendCompleted()
        scheduler.advance()
        expect(log.all, is: ["20 at 0", "30 at 3", "completed at 3"])
        expect(seen.all, is: [2, 3])
    }

    @Test("sends every value if the scheduler keeps up")
    func keepsUp() {
        expect(
            timeline(of: "-1-23|") { $0.lazyMap(on: $1) { $0 * 10 } },
            is: [
                "10 at 1", "20 at 3", "30 at 4", "completed at 5",
            ])
    }

    @Test("delivers completion and errors after the pending value")
    func afterValue() {
        for event in [Event<Int, TestError>.completed, .error(.first)] {
            let (scheduler, input, seen, log) = scheduled()
            input.sendNext(1)
            input.sendNext(2)
            input.send(event)
            #expect(log.all.isEmpty)
            scheduler.advance()
            expect(log.all, is: ["20 at 0", "\(event.text) at 0"])
            expect(seen.all, is: [2])
        }
    }

    @Test("on an interruption drops the pending value, and delivers the interruption on the scheduler")
    func interruption() {
        let (scheduler, input, seen, log) = scheduled()
        input.sendNext(1)
        input.sendInterrupted()
        #expect(log.all.isEmpty)
        scheduler.advance()
        expect(log.all, is: ["interrupted at 0"])
        #expect(seen.all.isEmpty)
    }

    @Test("transforms once for all observers")
    func shared() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let runs = Counter()
        let result = source.lazyMap(on: scheduler) { value in
            runs.increment()
            return value
        }
        let first = result.logged()
        let second = result.logged()
        input.sendNext(1)
        scheduler.advance()
        expect(first.all, is: ["1"])
        expect(second.all, is: ["1"])
        expect(runs.value, is: 1)
        wind(input, up: scheduler)
    }

    @Test("transforms on the scheduler")
    func place() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<Bool>()
        let disposable = source.lazyMap(on: scheduler) { _ in CurrentScheduler.value === scheduler }
            .observe { if let value = $0.value { log.append(value) } }
        input.sendNext(1)
        scheduler.advance()
        expect(log.all, is: [true])
        disposable?.dispose()
    }

    @Test("on an immediate scheduler, transforms before sending returns")
    func immediate() {
        let (source, input) = Source.pipe()
        let log = source.lazyMap(on: ImmediateScheduler()) { $0 * 10 }.logged()
        input.sendNext(1)
        expect(log.all, is: ["10"])
        input.sendNext(2)
        input.sendError(.first)
        expect(log.all, is: ["10", "20", "error first"])
        expectForwardsTerminals { $0.lazyMap(on: ImmediateScheduler()) { $0 } }
    }

    @Test("handles events that an observer or its closure sends on the scheduler")
    func reentrant() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.lazyMap(on: scheduler) { value in
            if value == 1 { input.sendNext(2) }
            return value * 10
        }.observe { event in
            log.append(when(event, scheduler))
            switch event.value {
            case 20: input.sendNext(3)
            case 30: input.sendCompleted()
            default: break
            }
        }
        input.sendNext(1)
        scheduler.advance()
        expect(log.all, is: ["10 at 0", "20 at 0", "30 at 0", "completed at 0"])
    }

    @Test("lets other actions of the scheduler run between two values")
    func turns() {
        let (scheduler, input, _, log) = scheduled()
        input.sendNext(1)
        scheduler.schedule {
            log.append("another")
            input.sendNext(2)
        }
        scheduler.advance()
        expect(log.all, is: ["10 at 0", "another", "20 at 0"])
        input.sendCompleted()
        scheduler.advance()
    }

    @Test("ends on the scheduler when the source ends")
    func ends() { expectEndsOnScheduler { source, scheduler in source.lazyMap(on: scheduler) { $0 } } }

    @Test("releases the pending value on an interruption and on disposal")
    func drops() {
        expectDropsPending(by: [.interrupted]) { source, scheduler in source.lazyMap(on: scheduler) { $0 } }
    }

    @Test("does not transform a pending value after it is disposed of")
    func disposed() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let seen = Log<Int>()
        let disposable = source.lazyMap(on: scheduler) { seen.append($0) }.observe { _ in }
        input.sendNext(1)
        disposable?.dispose()
        scheduler.run()
        #expect(seen.all.isEmpty)
        withExtendedLifetime(input) {}
    }

    @Test("releases a value when a later one replaces it, and after it is sent")
    func holdsOne() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Signal<Population.Member, Never>.pipe()
        let disposable = source.lazyMap(on: scheduler) { _ in 1 }.observe { _ in }
        for _ in 0..<5 {
            input.sendNext(population.member())
            expect(population.alive, is: 1)
        }
        scheduler.run()
        expect(population.alive, is: 0)
        disposable?.dispose()
        withExtendedLifetime(input) {}
    }

    @Test("releases its closure when the source ends")
    func releasesClosure() {
        expectReleasesClosure { source, member in
            source.lazyMap(on: ImmediateScheduler()) { value in
                member.touch()
                return value
            }
        }
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let disposable = source.lazyMap(on: scheduler) { [member = population.member()] value in
            member.touch()
            return value
        }.observe { _ in }
        input.sendNext(1)
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
    }

    @Test("on a queue, transforms only values that were not replaced")
    func queue() {
        let scheduler = QueueScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let done = Latch("lazyMap on a queue")
        source.lazyMap(on: scheduler) { value in
            log.append("transform \(value), \(CurrentScheduler.value === scheduler)")
            return value * 10
        }.observe { event in
            log.append("\(event.text), \(CurrentScheduler.value === scheduler)")
            if event.isTerminating { done.open() }
        }
        let occupation = Occupation { stay in
            let over = Latch("the queue is occupied")
            scheduler.schedule {
                stay()
                over.open()
            }
            over.wait()
        }
        for value in 1...100 { input.sendNext(value) }
        input.sendCompleted()
        occupation.end()
        done.wait()
        expect(log.all, is: ["transform 100, true", "1000, true", "completed, true"])
    }

    @Test("loses neither the last value nor the end when the scheduler races with the sender")
    func race() {
        let scheduler = QueueScheduler()
        for round in 0..<raceRounds {
            let (source, input) = Source.pipe()
            let log = Log<Int>()
            let done = Latch("lazyMap race, round \(round)")
            source.lazyMap(on: scheduler) { $0 }.observe { event in
                if let value = event.value { log.append(value) } else { done.open() }
            }
            for value in 1...3 { input.sendNext(value) }
            input.sendCompleted()
            done.wait()
            expect(log.all.last, is: 3)
            expect(log.all, is: log.all.sorted())
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.pipe().output.lazyMap(on: TestScheduler()) { $0 }.name, is: "[pipe] -lazyMap:")
    }
}
