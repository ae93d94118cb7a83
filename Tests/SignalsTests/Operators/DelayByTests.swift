import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("delay(by:)")
struct DelayByTests {
    /// Each value is delayed by as many seconds as it says.
    private func delayed(_ diagram: String) -> [String] {
        timeline(of: diagram) { $0.delay(on: $1) { .seconds($0) } }
    }

    @Test("sends each value when its delay is over, even before earlier ones")
    func order() {
        expect(delayed("5-1--2"), is: ["1 at 3", "5 at 5", "2 at 7"])
        expect(delayed("91"), is: ["1 at 2", "9 at 9"])
    }

    @Test("keeps the order of values that are due at the same instant")
    func ties() { expect(delayed("4321-0"), is: ["4 at 4", "3 at 4", "2 at 4", "1 at 4", "0 at 5"]) }

    @Test("completes after the last value that waits, or at once if none does")
    func completion() {
        expect(delayed("-52|"), is: ["2 at 4", "5 at 6", "completed at 6"])
        expect(delayed("-1--|"), is: ["1 at 2", "completed at 4"])
        expect(delayed("-|"), is: ["completed at 1"])
    }

    @Test("schedules errors and interruption at once, and discards the waiting values")
    func errors() {
        expect(delayed("-51--X"), is: ["1 at 3", "error first at 5"])
        expect(delayed("-51--!"), is: ["1 at 3", "interrupted at 5"])
        expectDropsPending { source, scheduler in source.delay(on: scheduler) { _ in .seconds(1) } }
        expectEndsOnScheduler { $0.delay(on: $1) { _ in .seconds(1) } }
    }

    @Test("matches the model over random delays", arguments: 0..<4)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<thorough(2_500) {
            let values = (0..<random.number(in: 1...12)).map { _ in
                (gap: random.number(in: 0...3), duration: random.number(in: 0...9))
            }
            var now = 0
            let dues = values.map { value in
                now += value.gap
                return now + value.duration
            }
            let order = dues.indices.sorted { (dues[$0], $0) < (dues[$1], $1) }
            let sent = play(values) { source, scheduler, durations in
                source.delay(on: scheduler) { .seconds(durations[$0]) }
            }
            expect(sent, is: order.map { "\($0) at \(dues[$0])" }, "\(values)")
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

    @Test("releases its closure when the source has ended, although values still wait")
    func releases() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = {
            let member = population.member()
            return source.delay(on: scheduler) { _ in
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

    @Test("sends on the scheduler what an observer sends, in order")
    func reentrant() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.delay(on: scheduler) { .seconds(4 - $0) }.observe { event in
            log.append(when(event, scheduler))
            if event.value == 3 { input.sendNext(4) }
        }
        for value in [2, 3] { input.sendNext(value) }
        scheduler.run()
        expect(log.all, is: ["3 at 1", "4 at 1", "2 at 2"])
        wind(input, up: scheduler)
    }

    @Test("separately for each start of a producer")
    func starts() {
        let scheduler = TestScheduler()
        let producer = SignalProducer<Int, TestError>([3, 1, 2]).delay(on: scheduler) { .seconds($0) }
        let logs = (0..<2).map { _ in
            let log = Log<String>()
            producer.start { log.append(when($0, scheduler)) }
            return log
        }
        scheduler.run()
        for log in logs { expect(log.all, is: ["1 at 1", "2 at 2", "3 at 3", "completed at 3"]) }
    }

    @Test("traps if the closure returns a negative duration")
    func traps() async throws {
        let signal = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (source, input) = Source.pipe()
            source.delay(on: TestScheduler()) { .seconds(-$0) }.observe { _ in }
            input.sendNext(1)
        }
        signal.expectTrap("delay(by:): the closure returned -1.0 seconds")
        let producer = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            SignalProducer<Int, Never>(value: 2).delay(on: TestScheduler()) { .seconds(-$0) }.start { _ in }
        }
        producer.expectTrap("delay(by:): the closure returned -2.0 seconds")
    }

    @Test("has the operator's name")
    func name() {
        let result = Source.pipe().output.delay(on: TestScheduler()) { _ in .zero }
        expect(result.name, is: "[pipe] -delay(by:)")
    }
}
