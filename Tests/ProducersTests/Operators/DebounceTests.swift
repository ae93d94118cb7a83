import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("debounce of producers")
struct DebounceTests {
    private func debounced(_ diagram: String, until end: Int = 50, discards: Bool = true) -> [String] {
        timeline(of: diagram, until: end) { $0.debounce(.seconds(5), on: $1, discardWhenCompleted: discards) }
    }

    @Test("sends the last value of a burst after a quiet interval, separately for each start")
    func waits() {
        expect(debounced("--1-2-3--------4"), is: ["3 at 11", "4 at 20"])
        #expect(debounced("--1-2-3", until: 10).isEmpty)
    }

    @Test("completes immediately and discards the pending value, unless told to keep it")
    func completion() {
        expect(debounced("-12|"), is: ["completed at 3"])
        expect(debounced("-12|", discards: false), is: ["2 at 7", "completed at 7"])
        expect(timeline(of: "1|") { $0.debounce(.seconds(5), on: $1) }, is: ["completed at 1"])
    }

    @Test("fails or is interrupted immediately, and discards the pending value", arguments: [true, false])
    func cutsOff(discards: Bool) {
        expect(debounced("-12X", discards: discards), is: ["error first at 3"])
        expect(debounced("-12!", discards: discards), is: ["interrupted at 3"])
    }

    @Test("treats the values of a synchronous source as one burst")
    func synchronous() {
        let scheduler = TestScheduler()
        let producer = Numbers(1...3).debounce(.seconds(5), on: scheduler, discardWhenCompleted: false)
        for _ in 0..<2 {
            let log = producer.logged()
            scheduler.advance(by: .milliseconds(4_999))
            #expect(log.all.isEmpty)
            scheduler.advance(by: .milliseconds(1))
            expect(log.all, is: ["3", "completed"])
        }
    }

    @Test("has the operator's name")
    func name() {
        let producer = Numbers.never.debounce(.milliseconds(1_500), on: TestScheduler())
        expect(producer.name, is: "[never] -debounce: 1.5 seconds")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.debounce(.seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("debounce(-1.0 seconds)")
    }
}
