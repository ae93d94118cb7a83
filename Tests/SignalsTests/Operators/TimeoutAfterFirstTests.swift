import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("timeout(afterFirst:raising:on:)")
struct TimeoutAfterFirstTests {
    private func timed(_ diagram: String, after seconds: Int = 10) -> [String] {
        timeline(of: diagram) { $0.timeout(afterFirst: .seconds(seconds), raising: .second, on: $1) }
            .map { $0.replacing(", on its sender's thread", with: "") }
    }

    @Test("fails on the scheduler when the interval after the first value has passed")
    func fails() {
        expect(
            timed("----1--2--3--4--5"), is: ["1 at 4", "2 at 7", "3 at 10", "4 at 13", "error second at 14"])
        expect(timed("1"), is: ["1 at 0", "error second at 10"])
    }

    @Test("does not fail without a value")
    func noValue() {
        expect(timed(""), is: [])
        expect(timed("--------------------|", after: 3), is: ["completed at 20"])
    }

    @Test("does not fail if the source ends in time")
    func inTime() {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(timed("---------1--------" + mark), is: ["1 at 9", "\(text) at 18"])
        }
    }

    @Test("with a zero interval, fails when the scheduler runs after the first value")
    func zero() {
        expect(timed("--12", after: 0), is: ["1 at 2", "error second at 2"])
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.timeout(afterFirst: .zero, raising: .second, on: scheduler).logged()
        scheduler.advance(by: .seconds(5))
        input.sendNext(1)
        input.sendNext(2)
        scheduler.advance()
        input.sendNext(3)
        expect(log.all, is: ["1", "2", "error second"])
    }

    @Test("begins when the observer has handled the first value")
    func observerTime() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.timeout(afterFirst: .seconds(20), raising: .second, on: scheduler).observe { event in
            log.append("\(event.text) at \(scheduler.now.offset.components.seconds)")
            if event.value == 1 { scheduler.advance(by: .seconds(40)) }
        }
        input.sendNext(1)
        scheduler.run()
        input.sendNext(2)
        expect(log.all, is: ["1 at 0", "error second at 60"])
    }

    @Test("stops its timer and releases its error when the source ends and when it is disposed of")
    func stops() {
        struct Held: Error {
            let member: Population.Member
        }
        for ends in [true, false] {
            let population = Population()
            weak var weakly: TestScheduler?
            do {
                let scheduler = TestScheduler()
                weakly = scheduler
                let (source, input) = Signal<Int, Held>.pipe()
                let counter = Counter()
                let disposable = source.timeout(
                    afterFirst: .seconds(1), raising: Held(member: population.member()), on: scheduler
                ).observe { _ in counter.increment() }
                input.sendNext(1)
                expect(population.alive, is: 1)
                if ends { input.sendCompleted() } else { disposable?.dispose() }
                expect(population.alive, is: 0)
                scheduler.run()
                expect(counter.value, is: ends ? 2 : 1)
            }
            #expect(weakly == nil)
        }
    }

    @Test("releases the source when it times out")
    func letsGo() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let result = {
            let member = population.member()
            return source.map { value in
                member.touch()
                return value
            }.timeout(afterFirst: .seconds(1), raising: .second, on: scheduler)
        }()
        input.sendNext(1)
        expect(population.alive, is: 1)
        scheduler.advance(by: .seconds(1))
        expect(population.alive, is: 0)
        expect(result.logged().all, is: ["interrupted"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        let scheduler = TestScheduler()
        expectForwardsTerminals { $0.timeout(afterFirst: .seconds(1), raising: .second, on: scheduler) }
        scheduler.run()
    }

    @Test("adds an error to a signal that cannot fail")
    func infallible() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = signal.timeout(afterFirst: .seconds(2), raising: TestError.second, on: scheduler).logged()
        input.sendNext(1)
        scheduler.advance(by: .seconds(2))
        expect(log.all, is: ["1", "error second"])
    }

    @Test("separately for each start of a producer")
    func starts() {
        let scheduler = TestScheduler()
        let producer = SignalProducer<Int, Never>(value: 1).concat(.never)
            .timeout(afterFirst: .seconds(3), raising: TestError.second, on: scheduler)
        var logs: [Log<String>] = []
        for second in 0..<2 {
            let log = Log<String>()
            logs.append(log)
            producer.start { log.append("\($0.text) at \(scheduler.now.offset.components.seconds)") }
            expect(log.all, is: ["1 at \(second)"])
            scheduler.advance(by: .seconds(1))
        }
        scheduler.run()
        for (second, log) in logs.enumerated() { expect(log.all.last, is: "error second at \(second + 3)") }
    }

    @Test("has the interval in its name")
    func name() {
        let result = Source.pipe().output.timeout(afterFirst: .seconds(5), raising: .first, on: TestScheduler())
        expect(result.name, is: "[pipe] -timeout(afterFirst: 5.0 seconds)")
    }

    @Test("traps if the interval is negative")
    func traps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe().output.timeout(afterFirst: .seconds(-1), raising: .first, on: TestScheduler())
        }
        result.expectTrap("timeout(afterFirst: -1.0 seconds)")
    }
}
