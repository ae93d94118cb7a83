import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("throttle(onDropped:)")
struct ThrottleOnDroppedTests {
    /// What is dropped and when.
    private func dropped(
        _ diagram: String, latest: Bool = true, discards: Bool = true, until end: Int = 100
    ) -> [String] {
        let drops = Log<String>()
        let sent = timeline(of: diagram, until: end) { source, scheduler in
            source.throttle(.seconds(5), on: scheduler, latest: latest, discardWhenCompleted: discards) {
                drops.append("\($0) at \(scheduler.now.offset.components.seconds)")
            }
        }
        let plain = timeline(of: diagram, until: end) {
            $0.throttle(.seconds(5), on: $1, latest: latest, discardWhenCompleted: discards)
        }
        expect(sent, is: plain, "sends what a throttle sends")
        return drops.all
    }

    @Test("reports a value that another one replaces")
    func replaced() {
        expect(dropped("--1-2-3-4----------5--|"), is: ["2 at 6"])
        expect(dropped("123456789"), is: ["2 at 2", "3 at 3", "4 at 4", "6 at 6", "7 at 7", "8 at 8"])
    }

    @Test("without the latest value, reports each value that arrives during an interval")
    func notLatest() { expect(dropped("--1-2-3-4----------5--|", latest: false), is: ["2 at 4", "3 at 6"]) }

    @Test("reports a value that the end of the source or a disposal discards")
    func discarded() {
        expect(dropped("12|"), is: ["2 at 2"])
        expect(dropped("12|", discards: false), is: [])
        expect(dropped("12X", discards: false), is: ["2 at 2"])
        expect(dropped("12!", discards: false), is: ["2 at 2"])
        expect(dropped("12-", until: 3), is: ["2 at 3"])
    }

    @Test("each value is either sent or reported, whatever ends the stream", arguments: 0..<4, [false, true])
    func random(seed: UInt64, isStarted: Bool) {
        var random = SplitMix64(seed: seed)
        for round in 0..<thorough(2_500) {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let (sent, drops) = (Log<Int>(), Log<Int>())
            let interval = Duration.seconds(random.number(in: 0...4))
            let (latest, discards) = (random.number(in: 0...1) == 0, random.number(in: 0...1) == 0)
            let receive: @Sendable (Event<Int, TestError>) -> Void = { if let value = $0.value { sent.append(value) } }
            let disposable: (any Disposable)? =
                isStarted
                ? SignalProducer(source).throttle(
                    interval, on: scheduler, latest: latest, discardWhenCompleted: discards,
                    onDropped: { drops.append($0) }
                ).start(receive)
                : source.throttle(
                    interval, on: scheduler, latest: latest, discardWhenCompleted: discards,
                    onDropped: { drops.append($0) }
                ).observe(receive)
            let count = random.number(in: 1...12)
            for number in 0..<count {
                scheduler.advance(by: .seconds(random.number(in: 0...3)))
                input.sendNext(number)
            }
            switch random.number(in: 0...3) {
            case 0: input.sendCompleted()
            case 1: input.sendError(.first)
            case 2: input.sendInterrupted()
            default: disposable?.dispose()
            }
            scheduler.run()
            input.sendNext(count)
            expect((sent.all + drops.all).sorted(), is: Array(0..<count), "round \(round)")
            expect(sent.all, is: sent.all.sorted())
        }
    }

    @Test("the closure can send to the source and dispose of the result")
    func reentrant() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let disposables = Log<any Disposable>()
        let (log, drops) = (Log<String>(), Log<Int>())
        let disposable = source.throttle(.seconds(5), on: scheduler) { value in
            drops.append(value)
            if value == 1 { input.sendNext(3) }
            if value == 3 { disposables.all.first?.dispose() }
        }.observe { log.append($0.text) }
        if let disposable { disposables.append(disposable) }
        input.sendNext(1)
        input.sendNext(2)
        expect(drops.all, is: [1, 2])
        input.sendNext(4)
        // The disposal discards the 4.
        expect(drops.all, is: [1, 2, 3, 4])
        scheduler.run()
        expect(log.all, is: [])
        input.sendInterrupted()
    }

    @Test("releases its closure when the result ends and when it is disposed of")
    func releases() {
        for ends in [true, false] {
            let population = Population()
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let disposable = {
                let member = population.member()
                return source.throttle(.seconds(5), on: scheduler) { _ in member.touch() }.observe { _ in }
            }()
            input.sendNext(1)
            input.sendNext(2)
            expect(population.alive, is: 1)
            if ends { input.sendCompleted() } else { disposable?.dispose() }
            scheduler.run()
            expect(population.alive, is: 0)
        }
    }

    @Test("separately for each start of a producer")
    func starts() {
        let scheduler = TestScheduler()
        let drops = Log<Int>()
        let producer = SignalProducer<Int, TestError>([1, 2, 3])
            .throttle(.seconds(5), on: scheduler, discardWhenCompleted: false) { drops.append($0) }
        let logs = (0..<2).map { _ in
            let log = Log<String>()
            producer.start { log.append(when($0, scheduler)) }
            return log
        }
        scheduler.run()
        for log in logs { expect(log.all, is: ["3 at 0", "completed at 0"]) }
        expect(drops.all, is: [1, 2, 1, 2])
    }

    @Test("traps if the interval is negative")
    func traps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe().output.throttle(.seconds(-1), on: TestScheduler()) { _ in }
        }
        result.expectTrap("throttle(-1.0 seconds)")
    }
}
