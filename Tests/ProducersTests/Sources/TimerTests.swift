import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("timer and interval")
struct TimerTests {
    private let scheduler = TestScheduler()

    private func advance(to seconds: Double) {
        scheduler.advance(to: TestScheduler.Instant(offset: .milliseconds(Int(seconds * 1_000))))
    }

    /// The events and their times.
    private func started<Value>(
        _ producer: SignalProducer<Value, Never>, as text: @escaping @Sendable (Value) -> String
    ) -> (log: Log<String>, disposable: any Disposable) {
        let log = Log<String>()
        let scheduler = scheduler
        let disposable = producer.start { event in
            let place = CurrentScheduler.value === scheduler ? "" : " elsewhere"
            log.append("\(event.value.map(text) ?? event.text) at \(scheduler.now)\(place)")
        }
        return (log, disposable)
    }

    @Test("a timer ticks after each interval without drift, and sends the time")
    func timer() {
        let start = started(SignalProducer.timer(interval: .seconds(3), on: scheduler)) { "\($0)" }
        advance(to: 2.9)
        #expect(start.log.all.isEmpty)
        for second in [3.5, 5.2, 6.9, 8.6, 9.5] { advance(to: second) }
        expect(
            start.log.all,
            is: [
                "3.0 seconds at 3.0 seconds", "6.0 seconds at 6.0 seconds", "9.0 seconds at 9.0 seconds",
            ])
        start.disposable.dispose()
        scheduler.run()
        expect(start.log.all.dropFirst(3), is: ["interrupted at 9.5 seconds elsewhere"])
    }

    @Test("a timer does not drift even if its observer is slow")
    func drift() {
        let log = Log<String>()
        let scheduler = scheduler
        SignalProducer.timer(interval: .seconds(2), on: scheduler).take(first: 4).start { event in
            log.append(event.value.map { "\($0)" } ?? event.text)
            if event.value?.offset == .seconds(2) { scheduler.advance(by: .milliseconds(500)) }
        }
        scheduler.run()
        expect(log.all, is: ["2.0 seconds", "4.0 seconds", "6.0 seconds", "8.0 seconds", "completed"])
    }

    @Test("disposal stops a timer immediately, also during a delivery")
    func disposal() {
        let producer = SignalProducer.timer(interval: .seconds(1), on: scheduler)
        let start = started(producer) { "\($0)" }
        advance(to: 1.5)
        start.disposable.dispose()
        expect(start.log.all, is: ["1.0 seconds at 1.0 seconds", "interrupted at 1.5 seconds elsewhere"])
        // Does not return if a timer still repeats.
        scheduler.run()
        expect(scheduler.now.offset, is: .milliseconds(1_500))
        let log = Log<String>()
        producer.startDisposably { event, disposable in
            log.append(event.value.map { "\($0)" } ?? event.text)
            disposable.dispose()
        }
        scheduler.run()
        expect(log.all, is: ["2.5 seconds", "interrupted"])
        expect(start.log.count, is: 2)
    }

    @Test("each start has a separate timer")
    func perStart() {
        let producer = SignalProducer.interval(.seconds(2), on: scheduler).take(first: 2)
        let first = started(producer) { "\($0)" }
        advance(to: 1)
        let second = started(producer) { "\($0)" }
        scheduler.run()
        expect(first.log.all, is: ["0 at 2.0 seconds", "1 at 4.0 seconds", "completed at 4.0 seconds"])
        expect(second.log.all, is: ["0 at 3.0 seconds", "1 at 5.0 seconds", "completed at 5.0 seconds"])
    }

    @Test("a timer that ticks once completes with its tick", arguments: [0, 3])
    func once(seconds: Int) {
        let start = started(SignalProducer.timer(after: .seconds(seconds), on: scheduler)) { "\($0)" }
        #expect(start.log.all.isEmpty)
        scheduler.run()
        expect(
            start.log.all, is: ["\(seconds).0 seconds at \(seconds).0 seconds", "completed at \(seconds).0 seconds"])
        #expect(start.disposable.isDisposed)
        let other = started(SignalProducer.timer(after: .seconds(1), on: scheduler)) { "\($0)" }
        other.disposable.dispose()
        scheduler.run()
        expect(other.log.all, is: ["interrupted at \(seconds).0 seconds elsewhere"])
    }

    @Test("an interval sends one element per tick, and completes one tick after the last")
    func elements() {
        let start = started(SignalProducer.interval(["a", "b"], .seconds(3), on: scheduler)) { $0 }
        scheduler.run()
        expect(start.log.all, is: ["a at 3.0 seconds", "b at 6.0 seconds", "completed at 9.0 seconds"])
        scheduler.advance(to: TestScheduler.Instant(offset: .seconds(20)))
        let empty = started(SignalProducer.interval([Int](), .seconds(3), on: scheduler)) { "\($0)" }
        scheduler.run()
        expect(empty.log.all, is: ["completed at 23.0 seconds"])
    }

    @Test("an interval iterates its sequence separately for each start, one element per tick")
    func iterates() {
        let numbers = Endless()
        let producer = SignalProducer.interval(numbers, .seconds(1), on: scheduler).take(first: 2)
        for round in 1...2 {
            let start = started(producer) { "\($0)" }
            scheduler.advance(by: .seconds(1))
            expect(numbers.computed.value, is: 2 * round - 1)
            scheduler.run()
            expect(start.log.count, is: 3)
            expect(numbers.computed.value, is: 2 * round)
        }
    }

    @Test("an interval without values counts from 0")
    func counts() {
        let start = started(SignalProducer.interval(.seconds(1), on: scheduler).take(first: 3)) { "\($0)" }
        scheduler.run()
        expect(
            start.log.all, is: ["0 at 1.0 seconds", "1 at 2.0 seconds", "2 at 3.0 seconds", "completed at 3.0 seconds"])
    }

    @Test("schedules nothing for a start that is already disposed of")
    func notBegun() {
        func events<Value>(_ producer: SignalProducer<Value, Never>) -> [String] {
            let log = producer.startWithSignal { signal, disposable in
                disposable.dispose()
                return signal.logged()
            }
            scheduler.run()
            return log.all
        }
        expect(events(.timer(interval: .seconds(1), on: scheduler)), is: ["interrupted"])
        expect(events(.timer(after: .seconds(1), on: scheduler)), is: ["interrupted"])
        expect(events(.interval([1], .seconds(1), on: scheduler)), is: ["interrupted"])
    }

    @Test("timers and intervals hold nothing after the end or disposal")
    func releases() {
        let population = Population()
        let member = { population.member() }
        let disposable = {
            let member = member()
            return SignalProducer.timer(interval: .seconds(1), on: scheduler).start { _ in member.touch() }
        }()
        scheduler.advance(by: .seconds(2))
        expect(population.alive, is: 1)
        disposable.dispose()
        scheduler.run()
        expect(population.alive, is: 0)
        let held = {
            let member = member()
            return [
                SignalProducer.timer(after: .seconds(1), on: scheduler).start { _ in member.touch() },
                SignalProducer.interval([1], .seconds(1), on: scheduler).start { _ in member.touch() },
            ]
        }()
        scheduler.run()
        expect(population.alive, is: 0)
        withExtendedLifetime(held) {}
    }

    @Test("traps when the interval is not positive")
    func interval() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer.timer(interval: .zero, on: QueueScheduler())
        }
        zero.expectTrap("timer(interval: 0.0 seconds)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer.interval(.seconds(-1), on: QueueScheduler())
        }
        negative.expectTrap("interval(-1.0 seconds)")
        let empty = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer.interval([1], .zero, on: QueueScheduler())
        }
        empty.expectTrap("interval(0.0 seconds)")
    }

    @Test("traps when the delay is negative")
    func delay() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer.timer(after: .seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("timer(after: -1.0 seconds)")
    }
}
