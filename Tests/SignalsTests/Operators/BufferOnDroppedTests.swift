import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("buffer(upTo:onDropped:)")
struct BufferOnDroppedTests {
    private let scheduler = TestScheduler()
    private let log = Log<String>()
    private let drops = Log<Int>()

    @Test("reports what an overflow drops, and the value that causes a failure")
    func overflow() {
        let expectations: [(Overflow, drops: [Int], log: [String])] = [
            (.dropOldest, [1, 2], ["3", "4", "completed"]), (.dropNewest, [3, 4], ["1", "2", "completed"]),
            (.fail, [1, 2, 3, 4], ["error second"]),
        ]
        for (overflow, expectedDrops, expectedLog) in expectations {
            log.removeAll()
            drops.removeAll()
            SignalProducer<Int, TestError>([1, 2, 3, 4])
                .buffer(upTo: 2, whenFull: overflow, raising: .second, on: scheduler) { [drops] in drops.append($0) }
                .start { [log] in log.append($0.text) }
            expect(drops.all, is: expectedDrops)
            scheduler.run()
            expect(log.all, is: expectedLog)
            expect(drops.all, is: expectedDrops)
        }
    }

    @Test("each value is either sent or reported, whatever ends the stream", arguments: 0..<4, [false, true])
    func random(seed: UInt64, isStarted: Bool) {
        var random = SplitMix64(seed: seed)
        for round in 0..<thorough(2_500) {
            log.removeAll()
            drops.removeAll()
            let (source, input) = Source.pipe()
            let overflow = random.pick([Overflow.dropOldest, .dropNewest, .fail])
            let limit = random.number(in: 1...3)
            let report: @Sendable (Int) -> Void = { [drops] in drops.append($0) }
            let receive: @Sendable (Event<Int, TestError>) -> Void = { [log] event in log.append(event.text) }
            let disposable: (any Disposable)? =
                isStarted
                ? SignalProducer(source)
                    .buffer(upTo: limit, whenFull: overflow, raising: .second, on: scheduler, onDropped: report)
                    .start(receive)
                : source.buffer(upTo: limit, whenFull: overflow, raising: .second, on: scheduler, onDropped: report)
                    .observe(receive)
            let count = random.number(in: 1...12)
            var sent = 0
            while sent < count, !log.all.contains("error second") {
                if random.once(in: 3) { scheduler.advance() }
                if log.all.contains("error second") { break }
                input.sendNext(sent)
                sent += 1
            }
            switch random.number(in: 0...3) {
            case 0: input.sendCompleted()
            case 1: input.sendError(.first)
            case 2: input.sendInterrupted()
            default: disposable?.dispose()
            }
            scheduler.run()
            input.sendNext(count)
            let values = log.all.compactMap { Int($0) }
            expect((values + drops.all).sorted(), is: Array(0..<sent), "seed \(seed), round \(round), \(overflow)")
            expect(values, is: values.sorted())
        }
    }

    @Test("the closure can send to the source and dispose of the result")
    func reentrant() {
        let (source, input) = Source.pipe()
        let disposable = SerialDisposable()
        disposable.inner = source.buffer(upTo: 1, whenFull: .dropNewest, on: scheduler) { [drops] value in
            drops.append(value)
            if value == 2 { input.sendNext(3) }
            if value == 3 { disposable.dispose() }
        }.observe { [log] in log.append($0.text) }
        input.sendNext(1)
        input.sendNext(2)
        // The disposal discards the 1.
        expect(drops.all, is: [2, 3, 1])
        scheduler.run()
        expect(log.all, is: [])
    }

    @Test("traps if the limit is not positive, and without the error of a failure")
    func traps() async throws {
        let limit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe().output.buffer(upTo: 0, whenFull: .dropNewest, on: TestScheduler()) { _ in }
        }
        limit.expectTrap("buffer(upTo: 0")
        let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe().output.buffer(upTo: 1, whenFull: .fail, on: TestScheduler()) { _ in }
        }
        error.expectTrap("buffer")
    }
}
