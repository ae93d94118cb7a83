import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("delay(_:on:) of producers")
struct DelayTests {
    private func delayed(_ diagram: String, until end: Int = 50) -> [String] {
        timeline(of: diagram, until: end) { $0.delay(.seconds(4), on: $1) }
    }

    @Test("delays values and the completion, separately for each start")
    func delays() {
        expect(delayed("--1--2|"), is: ["1 at 6", "2 at 9", "completed at 10"])
        expect(delayed("--1--2|", until: 8), is: ["1 at 6"])
    }

    @Test("forwards errors and interruptions without delay, and drops pending values")
    func cutsOff() {
        expect(delayed("1----2X"), is: ["1 at 4", "error first at 6"])
        expect(delayed("1----2!"), is: ["1 at 4", "interrupted at 6"])
    }

    @Test("starts the work immediately, and delays only its events")
    func synchronous() {
        let scheduler = TestScheduler()
        let starts = Counter()
        let producer = Numbers([1, 2]).on(starting: { starts.increment() }).delay(.seconds(4), on: scheduler)
        for round in 1...2 {
            let log = producer.logged()
            expect(starts.value, is: round)
            scheduler.advance(by: .milliseconds(3_999))
            #expect(log.all.isEmpty)
            scheduler.advance(by: .milliseconds(1))
            expect(log.all, is: ["1", "2", "completed"])
        }
        let zero = Numbers([1, 2]).delay(.zero, on: scheduler).logged()
        #expect(zero.all.isEmpty)
        scheduler.advance()
        expect(zero.all, is: ["1", "2", "completed"])
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.delay(.seconds(4), on: TestScheduler()).name, is: "[never] -delay: 4.0 seconds")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.delay(.seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("delay(-1.0 seconds)")
    }
}
