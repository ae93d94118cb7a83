import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Marble sources")
struct MarbleSourcesTests {
    @Test("a signal follows its diagram from the present instant on, observed or not")
    func hot() throws {
        let scheduler = TestScheduler()
        scheduler.advance(by: .seconds(10))
        let signal = scheduler.signal("12-3|", of: Int.self)
        let early = signal.record(on: scheduler)
        #expect(early.events.isEmpty)
        scheduler.advance()
        expect(early.values, is: [1])
        scheduler.advance(by: .seconds(2))
        let late = signal.record(on: scheduler)
        scheduler.run()
        try early.expect("12-3|")
        try late.expect("-3|")
        expect(scheduler.now.offset, is: .seconds(14))
    }

    @Test("a signal without an end in its diagram does not end")
    func endless() {
        let scheduler = TestScheduler()
        let log = scheduler.signal("a--", of: String.self).logged()
        scheduler.advance(by: .seconds(100))
        expect(log.all, is: ["a"])
    }

    @Test("a producer follows its diagram from each start on")
    func cold() throws {
        let scheduler = TestScheduler()
        let producer = scheduler.producer("-a-b|", values: ["a": 1, "b": 2])
        let first = producer.record(on: scheduler)
        scheduler.advance(by: .seconds(2))
        let second = producer.record(on: scheduler)
        scheduler.run()
        try first.expect("-a-b|", values: ["a": 1, "b": 2])
        try second.expect("-a-b|", values: ["a": 1, "b": 2])
        expect(second.events.last?.time.offset, is: .seconds(6))
    }

    @Test("a producer without an end in its diagram does not end, and its disposal unschedules the rest")
    func disposed() {
        let scheduler = TestScheduler()
        let recorder = scheduler.producer("1--2", of: Int.self).record(on: scheduler)
        scheduler.advance(by: .seconds(1))
        recorder.dispose()
        expect(recorder.terminal?.text, is: "interrupted")
        scheduler.run()
        expect(scheduler.now.offset, is: .seconds(1))
        expect(recorder.values, is: [1])

        let endless = scheduler.producer("1", of: Int.self).record(on: scheduler)
        scheduler.run()
        expect(endless.values, is: [1])
        #expect(!endless.hasTerminated)
    }

    @Test("signals and producers can fail and be interrupted, and accept a parsed diagram")
    func forms() throws {
        let scheduler = TestScheduler()
        let marbles = try Marbles<Int, TestError>("-7-X", frame: .milliseconds(10), error: .second)
        let recorders = [
            scheduler.signal(marbles).record(on: scheduler),
            scheduler.producer(marbles).record(on: scheduler),
            scheduler.signal("-7-X", of: Int.self, frame: .milliseconds(10), error: TestError.second)
                .record(on: scheduler),
            scheduler.producer("-7-X", of: Int.self, frame: .milliseconds(10), error: TestError.second)
                .record(on: scheduler),
            scheduler.signal("-a-#", frame: .milliseconds(10), values: ["a": 7], error: TestError.second)
                .record(on: scheduler),
            scheduler.producer("-a-#", frame: .milliseconds(10), values: ["a": 7], error: TestError.second)
                .record(on: scheduler),
        ]
        let interrupted = scheduler.producer("a!", values: ["a": 1]).record(on: scheduler)
        let hot: Signal<Int, Never> = scheduler.signal("1!")
        let hotInterrupted = hot.record(on: scheduler)
        scheduler.run()
        for recorder in recorders {
            #expect(recorder.matches(marbles))
            expect(recorder.terminal, is: .error(.second))
        }
        try interrupted.expect("1!")
        try hotInterrupted.expect("1!")
    }

    @Test("leak nothing")
    func released() {
        let population = Population()
        weak var weakly: TestScheduler?
        do {
            let scheduler = TestScheduler()
            weakly = scheduler
            let values = MarbleValues { [population] _ in population.member() }
            let signal = scheduler.signal("--a--b", values: values)
            let observation = signal.observe { _ in _ = scheduler.now }
            let disposable = scheduler.producer("--a--b", values: values).start()
            scheduler.advance(by: .seconds(3))
            disposable.dispose()
            scheduler.run()
            observation?.dispose()
        }
        expect(population.alive, is: 0)
        #expect(weakly == nil)
    }

    @Test("an endless signal is interrupted when the scheduler is released, and released when it is unobserved")
    func letGo() {
        weak var weakly: TestScheduler?
        var log: Log<String>?
        do {
            let scheduler = TestScheduler()
            weakly = scheduler
            log = scheduler.signal("1-", of: Int.self).logged()
            scheduler.run()
            expect(log?.all, is: ["1"])
        }
        #expect(weakly == nil)
        expect(log?.all, is: ["1", "interrupted"])

        let population = Population()
        let scheduler = TestScheduler()
        do {
            let signal = scheduler.signal("-", of: Int.self)
            signal.observe { [member = population.member()] _ in member.touch() }?.dispose()
            expect(population.alive, is: 0)
        }
        expect(scheduler.liveSignals, is: 0)
        _ = scheduler.signal("1", of: Int.self)
        scheduler.run()
        expect(scheduler.liveSignals, is: 0)
    }

    @Test("trap on a malformed text with its column")
    func malformed() async throws {
        let hot = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TestScheduler().signal("--(1", of: Int.self)
        }
        hot.expectTrap("marbles, column 3: the group is not closed")
        let cold = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TestScheduler().producer("--X", values: ["a": 1])
        }
        cold.expectTrap("marbles, column 3: the stream cannot fail, because no error is given")
        let frame = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TestScheduler().signal("1", of: Int.self, frame: .zero)
        }
        frame.expectTrap("Marbles(frame: 0.0 seconds)")
    }
}
