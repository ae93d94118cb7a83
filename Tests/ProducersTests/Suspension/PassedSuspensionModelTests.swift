import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Random chains of operators in front of a consumer that suspends the source", .watched)
struct PassedSuspensionModelTests {
    private typealias Numbers = SignalProducer<Int, TestError>

    /// A chain, and how many values it may hold.
    private struct Chain {
        var producer: Numbers
        var held = 0
        var name = ""

        /// Appends an operator that loses nothing.
        mutating func append(_ random: inout SplitMix64, _ scheduler: TestScheduler) {
            func then(_ operation: String, holding count: Int = 1, _ apply: (Numbers) -> Numbers) {
                producer = apply(producer)
                held += count
                name += ".\(operation)"
            }
            switch random.number(in: 0...18) {
            case 0: then("observe(on:)", holding: 256) { $0.observe(on: scheduler) }
            case 1: then("delay", holding: 256) { $0.delay(.milliseconds(300), on: scheduler) }
            case 2: then("delay(by:)", holding: 256) { $0.delay(on: scheduler) { _ in .milliseconds(300) } }
            case 3, 4:
                let count = random.number(in: 1...5)
                // What follows counts each value of a batch that arrives when there is room for one.
                then("collect(every:upTo: \(count))", holding: 2 * count) {
                    $0.collect(every: .milliseconds(200), upTo: count, on: scheduler).flatten()
                }
            case 5, 6:
                let count = random.number(in: 1...4)
                then("buffer(upTo: \(count))", holding: count) {
                    $0.buffer(upTo: count, whenFull: .suspend, on: scheduler)
                }
            case 7: then("timeout(between:)") { $0.timeout(between: .seconds(30), raising: .second, on: scheduler) }
            case 8: then("timeout(after:)") { $0.timeout(after: .seconds(9_999), raising: .second, on: scheduler) }
            case 9: then("onIdle") { $0.onIdle(.milliseconds(50), on: scheduler) { _ in } }
            case 10: then("merge(with:)") { $0.merge(with: .empty) }
            case 11: then("concat") { $0.concat(SignalProducer(ReadyNumbers(0)).promoteError()) }
            case 12: then("flatMapError") { $0.flatMapError { SignalProducer<Int, TestError>(error: $0) } }
            case 13: then("retry") { $0.retry(upTo: 0) }
            case 14: then("take(until:)") { $0.take(until: SignalProducer<Never, Never>.never) }
            case 15: then("start(on:)") { $0.start(on: scheduler) }
            case 16: then("combineLatest") { $0.combineLatest(with: SignalProducer(value: 0)).map { $0.0 } }
            case 17: then("withLatest(from:)") { $0.withLatest(from: SignalProducer<Int, Never>(value: 0)).map(\.0) }
            default: then("map") { $0.map { $0 } }
            }
        }
    }

    @Test("lose nothing, keep the order, hold no more than they say, and end with the source or the consumer")
    func random() {
        for seed in 1...UInt64(raceRounds * 4) {
            var random = SplitMix64(seed: seed)
            let (executor, scheduler) = (HandDrivenExecutor(), TestScheduler())
            let count = random.once(in: 20) ? 600 : random.number(in: 0...30)
            let room = random.number(in: 1...5)
            let fails = random.once(in: 4)
            // Whether the consumer leaves, and after how many values.
            let leaves = random.once(in: 4) ? random.number(in: 0...10) : nil
            let numbers = ReadyNumbers(count)
            let source = SignalProducer(numbers).promoteError(TestError.self)
            var chain = Chain(producer: fails ? source.concat(error: .first) : source)
            for _ in 0..<random.number(in: 1...4) { chain.append(&random, scheduler) }
            let place: Comment = "seed \(seed): \(count) values, room \(room), fails \(fails)\(chain.name)"

            let consumer = SlowConsumer(chain.producer, room: room, executor)
            var rounds = 0
            while consumer.end == nil, leaves.map({ consumer.values.count < $0 }) ?? true, rounds < 20_000 {
                rounds += 1
                switch random.number(in: 0...5) {
                case 0: executor.run()
                case 1, 2: executor.runOne()
                case 3: executor.within { scheduler.advance(by: .milliseconds(random.number(in: 0...250))) }
                default: if random.once(in: 2) { consumer.take() }
                }
                // The last request finds the end of the sequence.
                let ahead = min(numbers.asked.value, count) - consumer.values.count
                #expect(ahead <= chain.held + room, place)
            }
            if leaves == nil {
                // An error overtakes the values that wait in an operator with a time.
                let isWhole = consumer.values.count == count || fails
                #expect(isWhole, place)
                expect(consumer.end, is: fails ? "error first" : "completed", place)
            }
            expect(consumer.values, is: Array((1...max(count, 1)).prefix(consumer.values.count)), place)
            consumer.release()
            executor.run()
            executor.within { scheduler.advance(by: .seconds(1)) }
            executor.run()
            expect(executor.count, is: 0, place)
            let asked = numbers.asked.value
            executor.run()
            expect(numbers.asked.value, is: asked, place)
        }
    }
}
