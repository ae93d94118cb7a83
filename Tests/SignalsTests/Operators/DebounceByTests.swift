import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("debounce(by:)")
struct DebounceByTests {
    /// Each value waits for as many seconds as it says.
    private func debounced(_ diagram: String, discards: Bool = true) -> [String] {
        timeline(of: diagram) { $0.debounce(on: $1, discardWhenCompleted: discards) { .seconds($0) } }
    }

    @Test("sends a value when the source has been quiet for the time of that value")
    func quiet() {
        expect(debounced("3-----1--5"), is: ["3 at 3", "1 at 7", "5 at 14"])
        expect(debounced("3-3-3---1"), is: ["3 at 7", "1 at 9"])
    }

    @Test("a value replaces the one before, whether it waits longer or not as long")
    func replaces() {
        expect(debounced("9-1"), is: ["1 at 3"])
        expect(debounced("2-9"), is: ["2 at 2", "9 at 11"])
        expect(debounced("29"), is: ["9 at 10"])
    }

    @Test("sends at once with a time of zero")
    func zero() { expect(debounced("90-0"), is: ["0 at 1", "0 at 3"]) }

    @Test("discards the pending value on completion, unless told to send it first")
    func completion() {
        expect(debounced("-14-|"), is: ["1 at 2", "completed at 4"])
        expect(debounced("-14-|", discards: false), is: ["1 at 2", "4 at 6", "completed at 6"])
        expect(debounced("-|"), is: ["completed at 1"])
    }

    @Test("schedules errors and interruption at once, and discards the pending value", arguments: [true, false])
    func errors(discards: Bool) {
        expect(debounced("-4-X", discards: discards), is: ["error first at 3"])
        expect(debounced("-4-!", discards: discards), is: ["interrupted at 3"])
        expectDropsPending { source, scheduler in
            source.debounce(on: scheduler, discardWhenCompleted: discards) { _ in .seconds(1) }
        }
        expectEndsOnScheduler { $0.debounce(on: $1, discardWhenCompleted: discards) { _ in .seconds(1) } }
    }

    @Test("matches the model over random bursts", arguments: 0..<4)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<thorough(2_500) {
            let values = (0..<random.number(in: 1...12)).map { _ in
                (gap: random.number(in: 1...6), duration: random.number(in: 0...8))
            }
            var (expected, now): ([String], Int) = ([], 0)
            for (number, value) in values.enumerated() {
                now += value.gap
                let isLast = number == values.count - 1
                // At the same instant, the timer comes first.
                if isLast || value.duration <= values[number + 1].gap {
                    expected.append("\(number) at \(now + value.duration)")
                }
            }
            let sent = play(values) { source, scheduler, durations in
                source.debounce(on: scheduler) { .seconds(durations[$0]) }
            }
            expect(sent, is: expected, "\(values)")
        }
    }

    /// Sends numbered values after gaps in seconds, each with its duration, and lists what the operator sends and when.
    private func play(
        _ values: [(gap: Int, duration: Int)], _ transform: (Source, TestScheduler, [Int]) -> Source
    ) -> [String] {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        transform(source, scheduler, values.map { $0.duration }).observe { log.append(when($0, scheduler)) }
        for (number, value) in values.enumerated() {
            scheduler.advance(by: .seconds(value.gap))
            input.sendNext(number)
        }
        scheduler.run()
        let sent = log.all
        wind(input, up: scheduler)
        return sent
    }

    @Test("calls the closure once per value, on the sender's thread, where it can send")
    func closure() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let asked = Log<Int>()
        let result = source.debounce(on: scheduler, discardWhenCompleted: false) { value in
            asked.append(value)
            if value == 1 { input.sendNext(2) }
            return .seconds(value)
        }
        let log = Log<String>()
        result.observe { log.append(when($0, scheduler)) }
        input.sendNext(1)
        expect(asked.all, is: [1, 2])
        input.sendCompleted()
        scheduler.run()
        expect(log.all, is: ["2 at 2", "completed at 2"])
        expect(asked.all, is: [1, 2])
    }

    @Test("releases its closure when the source has ended, although a value still waits")
    func releases() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = {
            let member = population.member()
            return source.debounce(on: scheduler, discardWhenCompleted: false) { _ in
                member.touch()
                return .seconds(1)
            }.logged()
        }()
        input.sendNext(1)
        expect(population.alive, is: 1)
        input.sendCompleted()
        expect(population.alive, is: 0)
        scheduler.run()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("separately for each start of a producer")
    func starts() {
        let scheduler = TestScheduler()
        let producer = SignalProducer<Int, TestError>([1, 3, 2])
            .debounce(on: scheduler, discardWhenCompleted: false) { .seconds($0) }
        let logs = (0..<2).map { _ in
            let log = Log<String>()
            producer.start { log.append(when($0, scheduler)) }
            return log
        }
        scheduler.run()
        for log in logs { expect(log.all, is: ["2 at 2", "completed at 2"]) }
    }

    @Test("traps if the closure returns a negative duration")
    func traps() async throws {
        let signal = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (source, input) = Source.pipe()
            source.debounce(on: TestScheduler()) { .seconds(-$0) }.observe { _ in }
            input.sendNext(1)
        }
        signal.expectTrap("debounce(by:): the closure returned -1.0 seconds")
        let producer = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            SignalProducer<Int, Never>(value: 2).debounce(on: TestScheduler()) { .seconds(-$0) }.start { _ in }
        }
        producer.expectTrap("debounce(by:): the closure returned -2.0 seconds")
    }

    @Test("has the operator's name")
    func name() {
        let result = Source.pipe().output.debounce(on: TestScheduler()) { _ in .zero }
        expect(result.name, is: "[pipe] -debounce(by:)")
    }
}
