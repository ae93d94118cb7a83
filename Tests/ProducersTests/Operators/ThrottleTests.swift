import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("throttle(_:on:) of producers")
struct ThrottleTests {
    private func throttled(_ diagram: String, until end: Int = 50) -> [String] {
        timeline(of: diagram, until: end) { $0.throttle(.seconds(5), on: $1) }
    }

    @Test("sends the first value immediately, then the latest once per interval, separately for each start")
    func limits() {
        expect(throttled("--1-2-3-4----------5--|"), is: ["1 at 2", "3 at 7", "4 at 12", "5 at 19", "completed at 22"])
        expect(throttled("12", until: 4), is: ["1 at 0"])
    }

    @Test("forwards every end immediately, and discards the pending value")
    func ends() {
        expect(throttled("-12|"), is: ["1 at 1", "completed at 3"])
        expect(throttled("-12X"), is: ["1 at 1", "error first at 3"])
        expect(throttled("-12!"), is: ["1 at 1", "interrupted at 3"])
    }

    @Test("sends the latest value of a synchronous source on the scheduler, separately for each start")
    func synchronous() {
        let scheduler = TestScheduler()
        let producer = Numbers(1...3).concat(Numbers.never).throttle(.seconds(5), on: scheduler)
        for _ in 0..<2 {
            let (log, disposable) = producer.startLogged()
            #expect(log.all.isEmpty)
            scheduler.advance()
            expect(log.all, is: ["3"])
            disposable.dispose()
            scheduler.run()
        }
        let ended = Numbers(1...3).throttle(.seconds(5), on: scheduler).logged()
        scheduler.run()
        expect(ended.all, is: ["3", "completed"])
    }

    @Test("sends the value of a source that ends immediately")
    func single() {
        let scheduler = QueueScheduler()
        let values = Counter()
        for _ in 0..<raceRounds {
            let ended = Latch("throttle completes")
            Numbers(value: 1).throttle(.milliseconds(100), on: scheduler).start { event in
                if event.value == 1 { values.increment() } else { ended.open() }
            }
            ended.wait()
        }
        expect(values.value, is: raceRounds)
    }

    @Test("has the operator's name")
    func name() {
        let producer = Numbers.never.throttle(.milliseconds(250), on: TestScheduler())
        expect(producer.name, is: "[never] -throttle: 0.25 seconds")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.throttle(.seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("throttle(-1.0 seconds)")
    }
}
