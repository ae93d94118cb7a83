import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("rateLimit(_:per:burst:buffer:whenFull:on:)")
struct RateLimitTests {
    private func limited(_ diagram: String, burst: Int? = nil) -> [String] {
        timeline(of: diagram) {
            $0.rateLimit(2, per: .seconds(6), burst: burst, buffer: 9, whenFull: .dropNewest, on: $1)
        }
    }

    @Test("sends a burst at once, then one value per interval")
    func bursts() {
        expect(limited("1234"), is: ["1 at 0", "2 at 1", "3 at 3", "4 at 6"])
        expect(limited("1234", burst: 1), is: ["1 at 0", "2 at 3", "3 at 6", "4 at 9"])
        expect(limited("12345", burst: 3), is: ["1 at 0", "2 at 1", "3 at 2", "4 at 3", "5 at 6"])
    }

    @Test("accumulates no more than one burst while the source is quiet")
    func quiet() {
        expect(limited(String(repeating: "-", count: 50) + "1234"), is: ["1 at 50", "2 at 51", "3 at 53", "4 at 56"])
    }

    @Test("accepts any burst and any period")
    func extremes() {
        let longest = Duration(attoseconds: .max)
        for (period, burst, sent) in [
            (Duration.seconds(20), Int.max, 4), (.seconds(Int64.max), 3, 3), (longest, 1, 1),
            // The time of one value is the longest that it calculates with.
            (longest, .max, 2),
        ] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = source.rateLimit(
                1, per: period, burst: burst, buffer: 9, whenFull: .dropNewest, on: scheduler
            ).logged()
            for value in 1...4 { input.sendNext(value) }
            scheduler.advance()
            expect(log.count, is: sent, "\(burst) per \(period)")
            input.sendInterrupted()
            scheduler.advance()
        }
    }

    @Test("sends at most count plus burst values in any period, and loses none")
    func model() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let (count, burst) = (random.number(in: 1...4), random.number(in: 1...5))
            let period = Duration.nanoseconds(random.number(in: 1...1_000))
            let sent = Log<Duration>()
            let disposable = source.rateLimit(
                count, per: period, burst: burst, buffer: 1_000, whenFull: .fail, raising: .first, on: scheduler
            ).observe { event in if event.value != nil { sent.append(scheduler.now.offset) } }
            for value in 0..<50 {
                input.sendNext(value)
                scheduler.advance(by: .nanoseconds(random.number(in: 0...300)))
            }
            scheduler.run()
            let times = sent.all
            expect(times.count, is: 50, "seed \(seed): nothing is lost")
            for (index, time) in times.enumerated() {
                let inPeriod = times[index...].prefix { $0 < time + period }.count
                #expect(inPeriod <= burst + count, "seed \(seed): \(inPeriod) values within a period from \(time)")
            }
            disposable?.dispose()
            wind(input, up: scheduler)
        }
    }

    @Test("keeps its rate on a scheduler that is late by less than the intervals of the burst, and never exceeds it")
    func lateScheduler() {
        let count = 20_000
        let interval = Duration.seconds(1) / count
        for (burst, isExact) in [(1, false), (5, false), (21, true), (100, true)] {
            let scheduler = CoarseScheduler(resolution: .milliseconds(1))
            let times = Log<Duration>()
            SignalProducer(0..<2_000)
                .rateLimit(count, per: .seconds(1), burst: burst, buffer: 2_000, whenFull: .dropNewest, on: scheduler)
                .startWithNext { _ in times.append(scheduler.now.offset) }
            scheduler.base.run()
            let sent = times.all
            expect(sent.count, is: 2_000)
            let time = sent.last ?? .zero
            #expect((time < interval * (2_000 - burst) + .milliseconds(1)) == isExact, "burst \(burst): \(time)")
            for index in sent.indices.dropFirst(burst) {
                #expect(sent[index] - sent[index - burst] >= interval, "burst \(burst), value \(index)")
            }
        }
    }

    @Test("has the count in its name")
    func name() {
        let result = Signal<Int, Never>.pipe().output
            .rateLimit(3, per: .seconds(1), buffer: 10, whenFull: .dropOldest, on: TestScheduler())
        expect(result.name, is: "[pipe] -rateLimit: 3")
    }

    @Test("traps on invalid arguments")
    func badInput() async throws {
        let count = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.rateLimit(
                0, per: .seconds(1), buffer: 1, whenFull: .dropOldest, on: QueueScheduler())
        }
        count.expectTrap("rateLimit(0)")
        let period = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.rateLimit(
                1, per: .zero, buffer: 1, whenFull: .dropOldest, on: QueueScheduler())
        }
        period.expectTrap("rateLimit(per: 0.0 seconds)")
        let burst = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.rateLimit(
                1, per: .seconds(1), burst: 0, buffer: 1, whenFull: .dropOldest, on: QueueScheduler())
        }
        burst.expectTrap("rateLimit(burst: 0)")
        let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.rateLimit(
                1, per: .seconds(1), buffer: 1, whenFull: .fail, on: QueueScheduler())
        }
        error.expectTrap("rateLimit(whenFull: .fail)")
    }
}
