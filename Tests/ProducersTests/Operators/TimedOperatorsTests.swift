import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// An operator with the longest duration, which never passes.
private struct Endless: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What it sends for the values 1 and 2 at the seconds 1 and 4, and an error at the second 6.
    let expected: [String]
    let apply: @Sendable (Numbers, TestScheduler) -> Numbers

    init(
        _ name: String, sends expected: [String], _ apply: @escaping @Sendable (Numbers, TestScheduler) -> Numbers
    ) {
        testDescription = name
        self.expected = expected
        self.apply = apply
    }

    private static let longest = Duration(attoseconds: .max)
    private static let all = ["1 at 1", "2 at 4", "error first at 6"]
    private static let end = ["error first at 6"]

    static let operators: [Endless] = [
        Endless("collect(every:on:)", sends: end) { $0.collect(every: longest, on: $1).flatten() },
        Endless("collect(every:upTo:on:)", sends: end) { $0.collect(every: longest, upTo: 3, on: $1).flatten() },
        Endless("debounce(_:on:)", sends: end) { $0.debounce(longest, on: $1) },
        Endless("debounce(on:by:)", sends: end) { $0.debounce(on: $1) { _ in longest } },
        Endless("delay(_:on:)", sends: end) { $0.delay(longest, on: $1) },
        Endless("delay(on:by:)", sends: end) { $0.delay(on: $1) { _ in longest } },
        Endless("heartbeat(every:on:)", sends: all) { $0.heartbeat(every: longest, on: $1) { 0 } },
        Endless("onIdle(_:on:)", sends: all) { $0.onIdle(longest, on: $1) { _ in } },
        Endless("pace(every:)", sends: ["1 at 1", "error first at 6"]) {
            $0.pace(every: longest, on: $1, buffer: 3, whenFull: .dropNewest)
        },
        Endless("rateLimit(_:per:)", sends: ["1 at 1", "error first at 6"]) {
            $0.rateLimit(1, per: longest, buffer: 3, whenFull: .dropNewest, on: $1)
        },
        Endless("retry(_:on:) with a deadline", sends: all) {
            $0.retry(RetryPolicy(deadline: .seconds(9)) { _, _ in longest }, on: $1)
        },
        Endless("retry(_:on:) with the longest deadline", sends: ["1 at 1", "2 at 4"]) {
            $0.retry(RetryPolicy(deadline: longest) { _, _ in longest }, on: $1)
        },
        Endless("settle(for:atMost:on:)", sends: end) { $0.settle(for: longest, atMost: longest, on: $1) },
        Endless("settle(for:atMost:on:) that is not quiet", sends: ["1 at 3", "2 at 6", "error first at 6"]) {
            $0.settle(for: .seconds(2), atMost: longest, on: $1)
        },
        Endless("skip(for:on:)", sends: end) { $0.skip(for: longest, on: $1) },
        Endless("slidingWindow(for:on:)", sends: all) { $0.slidingWindow(for: longest, on: $1).map { $0.last ?? 0 } },
        Endless("take(for:on:)", sends: all) { $0.take(for: longest, on: $1) },
        Endless("throttle(_:on:)", sends: ["1 at 1", "error first at 6"]) { $0.throttle(longest, on: $1) },
        Endless("timeout(after:raising:on:)", sends: all) { $0.timeout(after: longest, raising: .second, on: $1) },
        Endless("timeout(afterFirst:raising:on:)", sends: all) {
            $0.timeout(afterFirst: longest, raising: .second, on: $1)
        },
        Endless("timeout(between:raising:on:)", sends: all) { $0.timeout(between: longest, raising: .second, on: $1) },
    ]
}

/// The operators that signals and producers share, as separate starts of a producer.
@Suite("Timed operators of producers, separately for each start")
struct TimedOperatorsTests {
    private func plain<Value>(
        _ diagram: String, until end: Int = 20,
        _ transform: (Numbers, TestScheduler) -> SignalProducer<Value, TestError>
    ) -> [String] {
        timeline(of: diagram, until: end, transform).map { $0.replacing(", on its sender's thread", with: "") }
    }

    @Test("take(for:) and skip(for:)")
    func takeAndSkip() {
        expect(plain("1--2---3") { $0.take(for: .seconds(5), on: $1) }, is: ["1 at 0", "2 at 3", "completed at 5"])
        expect(plain("1--2---3|") { $0.skip(for: .seconds(5), on: $1) }, is: ["3 at 7", "completed at 8"])
    }

    @Test("timeout(between:raising:)")
    func timeoutBetween() {
        expect(
            plain("-1-2---3") { $0.timeout(between: .seconds(3), raising: .second, on: $1) },
            is: ["1 at 1", "2 at 3", "error second at 6"])
        let log = SignalProducer<Int, Never>([1, 2])
            .timeout(between: .zero, raising: TestError.first, on: TestScheduler()).logged()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("accept a time of zero where it is a delay, a limit or an idle time")
    func zero() {
        let clock = TestScheduler()
        let source = Numbers([1])
        let results: [Numbers] = [
            source.delay(.zero, on: clock), source.delayStart(.zero, on: clock), source.debounce(.zero, on: clock),
            source.debounce(on: clock) { _ in .zero }, source.delay(on: clock) { _ in .zero },
            source.settle(for: .zero, atMost: .zero, on: clock), source.throttle(.zero, on: clock),
            source.skip(for: .zero, on: clock),
            source.timeout(after: .zero, raising: .second, on: clock),
            source.timeout(between: .zero, raising: .second, on: clock),
            source.timeout(afterFirst: .zero, raising: .second, on: clock),
            source.retry(upTo: 1, interval: .zero, on: clock),
            source.flatMap(perKey: { $0 }, .merge, idle: .zero, maxKeys: 1, whenFull: .dropOldest, on: clock) {
                Numbers(value: $0)
            },
            source.groupBy({ $0 }, bufferLimit: 1, idle: .zero, maxKeys: 1, whenFull: .dropOldest, on: clock)
                .flatMap(.merge) { $0.producer },
        ]
        let logs = results.map { $0.logged() }
        clock.run()
        for log in logs { expect(log.all.last, is: "completed", "\(log.all)") }
    }

    @Test("accept the longest duration, which never passes", arguments: Endless.operators)
    private func longest(_ operation: Endless) {
        expect(plain("-1--2-X", operation.apply), is: operation.expected)
    }

    @Test("timestamped(on:) and timeInterval(on:)")
    func times() {
        let scheduler = TestScheduler()
        scheduler.advance(by: .seconds(2))
        let stamped = Numbers([1]).timestamped(on: scheduler).map { "\($0.value) at \($0.instant.offset)" }
        expect(stamped.logged().all, is: ["1 at 2.0 seconds", "completed"])
        expect(
            plain("-1-2|") { source, scheduler in
                source.timeInterval(on: scheduler).map { "\($0.value) after \($0.interval)" }
            }, is: ["1 after 1.0 seconds at 1", "2 after 2.0 seconds at 3", "completed at 4"])
    }

    @Test("slidingWindow(for:)")
    func slidingWindow() {
        expect(
            plain("12--3|") { $0.slidingWindow(for: .seconds(4), on: $1) },
            is: ["[1] at 0", "[1, 2] at 1", "[2, 3] at 4", "completed at 5"])
    }

    @Test("collect(every:upTo:)")
    func collect() {
        expect(
            plain("1234|") { $0.collect(every: .seconds(9), upTo: 3, on: $1) },
            is: ["[1, 2, 3] at 2", "[4] at 4", "completed at 4"])
    }

    @Test("heartbeat(every:) and onIdle(_:)")
    func idle() {
        expect(
            plain("-1----2|") { $0.heartbeat(every: .seconds(3), on: $1) { 0 } },
            is: ["1 at 1", "0 at 4", "2 at 6", "completed at 7"])
        let scheduler = TestScheduler()
        let calls = Log<Duration>()
        let (_, disposable) = Numbers.never.onIdle(.seconds(3), on: scheduler) { calls.append($0) }.startLogged()
        scheduler.advance(by: .seconds(7))
        expect(calls.all, is: [.seconds(3), .seconds(6)])
        disposable.dispose()
        scheduler.run()
        expect(calls.count, is: 2)
    }

    @Test("throttle(_:on:latest:discardWhenCompleted:)")
    func throttle() {
        expect(
            plain("12-3|") { $0.throttle(.seconds(3), on: $1, latest: false) },
            is: ["1 at 0", "3 at 3", "completed at 4"])
        expect(
            plain("12|") { $0.throttle(.seconds(3), on: $1, discardWhenCompleted: false) },
            is: ["1 at 0", "2 at 3", "completed at 3"])
    }

    @Test("pace(every:), rateLimit(_:per:) and buffer(upTo:)")
    func limits() {
        expect(
            plain("123|") { $0.pace(every: .seconds(2), on: $1, buffer: 9, whenFull: .dropOldest) },
            is: ["1 at 0", "2 at 2", "3 at 4", "completed at 4"])
        expect(
            plain("123|") {
                $0.rateLimit(1, per: .seconds(3), burst: 2, buffer: 9, whenFull: .dropOldest, on: $1)
            }, is: ["1 at 0", "2 at 1", "3 at 3", "completed at 3"])
        let scheduler = TestScheduler()
        let (log, _) = Numbers(1...9).buffer(upTo: 2, whenFull: .dropOldest, on: scheduler).startLogged()
        scheduler.advance()
        expect(log.all, is: ["8", "9", "completed"])
    }

    @Test("measures time separately for each start")
    func separate() {
        let scheduler = TestScheduler()
        let producer = Numbers.never.take(for: .seconds(5), on: scheduler)
        let first = producer.logged()
        scheduler.advance(by: .seconds(3))
        let second = producer.logged()
        scheduler.advance(by: .seconds(2))
        expect(first.all, is: ["completed"])
        #expect(second.all.isEmpty)
        scheduler.advance(by: .seconds(3))
        expect(second.all, is: ["completed"])
    }
}
