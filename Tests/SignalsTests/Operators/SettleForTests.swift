import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("settle(for:)")
struct SettleForTests {
    private func settled(
        _ diagram: String, for quiet: Int = 3, longest: Int = 5, discards: Bool = true
    )
        -> [String]
    {
        timeline(of: diagram) {
            $0.settle(for: .seconds(quiet), atMost: .seconds(longest), on: $1, discardWhenCompleted: discards)
        }
    }

    @Test("sends the last value of a burst when it is over")
    func quiet() {
        expect(settled("--1-2-------3"), is: ["2 at 7", "3 at 15"])
    }

    @Test("sends the last value while values keep coming, when the first has waited for the longest time")
    func busy() {
        expect(settled("1-2-3-4-5-6-7-8-9"), is: ["3 at 5", "6 at 11", "9 at 17"])
        // The time counts from the first value that was held back, not from the last one that was sent.
        expect(settled("1-2-3-----4-5-6-7"), is: ["3 at 5", "6 at 15", "7 at 19"])
    }

    @Test("a value that arrives at the instant of the longest wait is held back if the timer comes first")
    func sameInstant() {
        for isBefore in [true, false] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = Log<String>()
            if isBefore { scheduler.schedule(after: .seconds(3)) { input.sendNext(2) } }
            source.settle(for: .seconds(3), atMost: .seconds(3), on: scheduler).observe {
                log.append(when($0, scheduler))
            }
            input.sendNext(1)
            if !isBefore { scheduler.schedule(after: .seconds(3)) { input.sendNext(2) } }
            scheduler.run()
            expect(log.all, is: isBefore ? ["2 at 3"] : ["1 at 3", "2 at 6"])
            wind(input, up: scheduler)
        }
    }

    @Test("discards the pending value on completion, unless told to send it first")
    func completion() {
        expect(settled("-12|"), is: ["completed at 3"])
        expect(settled("-12|", discards: false), is: ["2 at 5", "completed at 5"])
        expect(settled("1-2-3|", longest: 6, discards: false), is: ["3 at 6", "completed at 6"])
        expect(settled("-|"), is: ["completed at 1"])
    }

    @Test("schedules errors and interruption at once, and discards the pending value", arguments: [true, false])
    func errors(discards: Bool) {
        expect(settled("-12X", discards: discards), is: ["error first at 3"])
        expect(settled("-12!", discards: discards), is: ["interrupted at 3"])
    }

    @Test("is a debounce if the longest time is never reached, and sends at once if both are zero")
    func limits() {
        expect(settled("123456789", for: 3, longest: 100), is: ["9 at 11"])
        expect(settled("12-3|", for: 0, longest: 0), is: ["1 at 0", "2 at 1", "3 at 3", "completed at 4"])
    }

    @Test("matches the model over random bursts", arguments: 0..<4)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<thorough(2_500) {
            let quiet = random.number(in: 0...4)
            let longest = quiet + random.number(in: 0...5)
            let gaps = (0..<random.number(in: 1...12)).map { _ in random.number(in: 1...6) }
            var expected: [String] = []
            var (now, first, last) = (0, 0, 0)
            for (index, gap) in gaps.enumerated() {
                let due = min(last + quiet, first + longest)
                // At the same instant, the timer comes first.
                if last > 0, due <= now + gap { expected.append("\(index) at \(due)") }
                now += gap
                if last == 0 || due <= now { first = now }
                last = now
            }
            expected.append("\(gaps.count) at \(min(last + quiet, first + longest))")
            let diagram = gaps.enumerated().map { String(repeating: "-", count: $1 - ($0 == 0 ? 0 : 1)) + "v" }.joined()
            let got = numbered(diagram, quiet, longest)
            expect(got, is: expected, "\(diagram), \(quiet), \(longest)")
        }
    }

    /// The values of a diagram, in which each is `v`, as their numbers.
    private func numbered(_ diagram: String, _ quiet: Int, _ longest: Int) -> [String] {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.settle(for: .seconds(quiet), atMost: .seconds(longest), on: scheduler).observe {
            log.append(when($0, scheduler))
        }
        var number = 0
        for character in diagram {
            if character == "v" {
                number += 1
                input.sendNext(number)
            }
            scheduler.advance(by: .seconds(1))
        }
        scheduler.run()
        let sent = log.all
        wind(input, up: scheduler)
        return sent
    }

    @Test("separately for each start of a producer")
    func starts() {
        let scheduler = TestScheduler()
        let producer = SignalProducer<Int, TestError>([1, 2, 3])
            .settle(for: .seconds(1), atMost: .seconds(2), on: scheduler, discardWhenCompleted: false)
        let logs = (0..<2).map { _ in
            let log = Log<String>()
            producer.start { log.append(when($0, scheduler)) }
            return log
        }
        scheduler.run()
        for log in logs { expect(log.all, is: ["3 at 1", "completed at 1"]) }
    }

    @Test("traps if the quiet time is negative, or longer than the longest")
    func traps() async throws {
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe().output.settle(for: .seconds(-1), atMost: .seconds(1), on: TestScheduler())
        }
        negative.expectTrap("settle(for: -1.0 seconds)")
        let longer = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.settle(for: .seconds(2), atMost: .seconds(1), on: TestScheduler())
        }
        longer.expectTrap("settle(for: 2.0 seconds, atMost: 1.0 seconds)")
    }

    @Test("has the quiet time in its name")
    func name() {
        let result = Source.pipe().output.settle(for: .milliseconds(1_500), atMost: .seconds(2), on: TestScheduler())
        expect(result.name, is: "[pipe] -settle: 1.5 seconds")
    }
}
