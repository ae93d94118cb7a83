import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("collect(every:) of producers")
struct CollectEveryTests {
    private func collected(
        _ diagram: String, until end: Int = 17, skipEmpty: Bool = false, discards: Bool = true
    ) -> [String] {
        timeline(of: diagram, until: end) {
            $0.collect(every: .seconds(5), on: $1, skipEmpty: skipEmpty, discardWhenCompleted: discards)
        }
    }

    @Test("sends the values of each interval since the start, separately for each start")
    func collects() {
        expect(collected("--1--2-----3"), is: ["[1] at 5", "[2] at 10", "[3] at 15"])
        expect(collected(""), is: ["[] at 5", "[] at 10", "[] at 15"])
        expect(collected("1", skipEmpty: true), is: ["[1] at 5"])
    }

    @Test("discards collected values on completion, or keeps them until the interval ends")
    func completion() {
        expect(collected("--1--2-|"), is: ["[1] at 5", "completed at 7"])
        expect(collected("--1--2-|", discards: false), is: ["[1] at 5", "[2] at 10", "completed at 10"])
        expect(collected("|", discards: false), is: ["[] at 5", "completed at 5"])
        expect(collected("|", skipEmpty: true, discards: false), is: ["completed at 5"])
    }

    @Test("fails or is interrupted immediately, and discards collected values", arguments: [true, false])
    func cutsOff(discards: Bool) {
        expect(collected("1X", discards: discards), is: ["error first at 1"])
        expect(collected("1!", discards: discards), is: ["interrupted at 1"])
    }

    @Test("has no timer before a start, and one timer per start")
    func starts() {
        let scheduler = TestScheduler()
        let producer = Numbers([1, 2]).collect(every: .seconds(5), on: scheduler, discardWhenCompleted: false)
        scheduler.advance(by: .seconds(3))
        for _ in 0..<2 {
            let log = producer.logged()
            scheduler.advance(by: .milliseconds(4_999))
            #expect(log.all.isEmpty)
            scheduler.advance(by: .milliseconds(1))
            expect(log.all, is: ["[1, 2]", "completed"])
        }
        // Does not return if a timer still runs.
        scheduler.run()
    }

    @Test("has the operator's name")
    func name() {
        let producer = Numbers.never.collect(every: .seconds(5), on: TestScheduler())
        expect(producer.name, is: "[never] -collect(every: 5.0 seconds)")
    }

    @Test("traps unless the interval is positive")
    func notPositive() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.collect(every: .zero, on: QueueScheduler())
        }
        zero.expectTrap("collect(every: 0.0 seconds)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.collect(every: .seconds(-1), on: QueueScheduler())
        }
        negative.expectTrap("collect(every: -1.0 seconds)")
    }
}
