import HotSignals
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Numbers = SignalProducer<Int, TestError>
private typealias Arrays = SignalProducer<[Int], TestError>

private let endless = Lifetime.Token()

/// An operator behind which a consumer can suspend the source.
private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let apply: @Sendable (Numbers, TestScheduler) -> Arrays

    /// An operator that sends arrays.
    static func arrays(_ name: String, _ apply: @escaping @Sendable (Numbers, TestScheduler) -> Arrays) -> Case {
        Case(testDescription: name, apply: apply)
    }

    /// An operator that sends the values.
    static func values(_ name: String, _ apply: @escaping @Sendable (Numbers, TestScheduler) -> Numbers) -> Case {
        Case(testDescription: name) { source, scheduler in apply(source, scheduler).map { [$0] } }
    }

    static let all: [Case] = [
        .arrays("collect(every:)") { $0.collect(every: .seconds(1), on: $1) },
        .arrays("collect(every:), skipping") { $0.collect(every: .seconds(1), on: $1, skipEmpty: true) },
        .arrays("collect(every:upTo:)") { $0.collect(every: .seconds(1), upTo: 3, on: $1) },
        .values("delay") { $0.delay(.seconds(1), on: $1) },
        .values("delay(by:)") { $0.delay(on: $1) { _ in .seconds(1) } },
        .values("timeout(after:)") { $0.timeout(after: .seconds(3_600), raising: .first, on: $1) },
        .values("timeout(between:)") { $0.timeout(between: .seconds(30), raising: .first, on: $1) },
        .values("timeout(afterFirst:)") { $0.timeout(afterFirst: .seconds(3_600), raising: .first, on: $1) },
        .values("timeout(after:switchingTo:)") {
            $0.timeout(after: .seconds(3_600), switchingTo: SignalProducer(error: .first), on: $1)
        },
        .values("timeout(between:switchingTo:)") {
            $0.timeout(between: .seconds(30), switchingTo: SignalProducer(error: .first), on: $1)
        },
        .values("start(limitedBy:)") { $0.start(limitedBy: RateLimiter(1_000, per: .seconds(1), on: $1)) },
        .values("circuitBreaker") {
            $0.circuitBreaker(CircuitBreaker(failures: 3, reset: .constant(.seconds(1)), on: $1))
                .mapError { if case .failed(let error) = $0 { error } else { .first } }
        },
        .values("take(for:)") { $0.take(for: .seconds(3_600), on: $1) },
        .values("heartbeat") { $0.heartbeat(every: .seconds(100), on: $1) { 0 } },
        .values("onIdle") { $0.onIdle(.seconds(1), on: $1) { _ in } },
        .values("observe(on:)") { $0.observe(on: $1) },
        .values("buffer(upTo:whenFull: .suspend)") { $0.buffer(upTo: 9, whenFull: .suspend, on: $1) },
        .values("two buffers") {
            $0.buffer(upTo: 9, whenFull: .suspend, on: $1).buffer(upTo: 9, whenFull: .suspend, on: $1)
        },
        .values("merge(with:)") { source, _ in source.merge(with: .empty) },
        .values("merge, of an array") { source, _ in .merge([.empty, source]) },
        .values("concat") { source, _ in source.concat(SignalProducer(ReadyNumbers(0)).promoteError()) },
        .values("concat(value:)") { source, _ in source.concat(value: 0).filter { $0 > 0 } },
        .values("concat, of an array") { source, _ in .concat([.empty, source]) },
        .values("prefix") { source, _ in source.prefix(SignalProducer(ReadyNumbers(0)).promoteError()) },
        .values("prefix(value:)") { source, _ in source.prefix(value: 0).filter { $0 > 0 } },
        .values("combineLatest") { source, _ in source.combineLatest(with: SignalProducer(value: 0)).map { $0.0 } },
        .values("flatMapError") { source, _ in source.flatMapError { SignalProducer<Int, TestError>(error: $0) } },
        .values("retry") { source, _ in source.retry(upTo: 1) },
        .values("repeat") { source, _ in source.repeat(1) },
        .values("start(on:)") { $0.start(on: $1) },
        .values("delayStart") { $0.delayStart(.seconds(1), on: $1) },
        .values("take(until:)") { source, _ in source.take(until: SignalProducer<Never, Never>.never) },
        .values("take(during:)") { source, _ in source.take(during: Lifetime(endless)) },
        .values("then") { source, _ in SignalProducer(ReadyNumbers(0)).promoteError().then(source) },
        .values("then, of a closure") { source, _ in
            SignalProducer(ReadyNumbers(0)).promoteError().then { source }
        },
        .values("switchIfEmpty") { source, _ in source.switchIfEmpty(SignalProducer(ReadyNumbers(0)).promoteError()) },
        .values("switchIfEmpty, to the source") { source, _ in
            SignalProducer(ReadyNumbers(0)).promoteError().switchIfEmpty(source)
        },
        .values("skip(until:)") { source, _ in source.skip(until: SignalProducer<Int, Never>(value: 0)) },
        .values("withLatest(from:)") { source, _ in
            source.withLatest(from: SignalProducer<Int, Never>(value: 0)).map { $0.0 }
        },
    ]

    /// Those that hold several values, with their number.
    static let queues: [(name: Case, limit: Int)] = [
        (.arrays("collect(every:upTo:)") { $0.collect(every: .seconds(1), upTo: 4, on: $1) }, 4),
        (.values("observe(on:)") { $0.observe(on: $1) }, 256),
        (.values("delay") { $0.delay(.seconds(1), on: $1) }, 256),
        (.values("delay(by:)") { $0.delay(on: $1) { _ in .seconds(1) } }, 256),
        (.values("buffer") { $0.buffer(upTo: 5, whenFull: .suspend, on: $1) }, 5),
    ]
}

@Suite("Operators in front of a consumer that suspends the source", .watched)
struct PassedSuspensionTests {
    private let executor = HandDrivenExecutor()
    private let scheduler = TestScheduler()

    private func consumer<Value>(
        _ producer: SignalProducer<Value, TestError>, room: Int = 3
    ) -> SlowConsumer<Value, TestError> {
        SlowConsumer(producer, room: room, executor)
    }

    /// Advances the time by steps of half a second, and runs what follows.
    private func pass(seconds: Int = 2) {
        for _ in 0..<2 * seconds {
            executor.run()
            executor.within { scheduler.advance(by: .milliseconds(500)) }
            executor.run()
        }
    }

    @Test("suspend the source while the consumer has no room, and lose nothing", arguments: Case.all)
    private func passesOn(_ operation: Case) {
        let faucet = Faucet<TestError>()
        let consumer = consumer(operation.apply(SignalProducer(faucet), scheduler))
        var sent = 0
        func sendIfWanted() {
            if sent < 20, faucet.tap.isWaitedFor {
                sent += 1
                faucet.send(sent)
            }
            pass()
        }
        pass()
        for _ in 0..<40 { sendIfWanted() }
        // The consumer's three, and one that the source was already waiting for.
        #expect(sent <= 4, "\(sent) have been sent")
        #expect(!faucet.tap.isWaitedFor)
        var (rounds, received) = (0, 0)
        while received < 20, rounds < 500 {
            rounds += 1
            consumer.take()
            received = consumer.values.reduce(0) { $0 + $1.count }
            sendIfWanted()
            #expect(sent - received <= 4)
        }
        expect(Array(consumer.values.joined()), is: Array(1...20))
        consumer.take(9)
        faucet.end()
        pass()
        consumer.take(9)
        expect(consumer.end, is: "completed")
    }

    @Test("end the source when the consumer goes while it is suspended", arguments: Case.all)
    private func departure(_ operation: Case) {
        let population = Population()
        let faucet = Faucet<TestError>()
        do {
            let member = population.member()
            let consumer = consumer(
                operation.apply(SignalProducer(faucet), scheduler).on(event: { _ in member.touch() }))
            for _ in 0..<20 where faucet.tap.isWaitedFor || faucet.tap.asked.value < 2 {
                faucet.send(1)
                pass()
            }
            #expect(!faucet.tap.isWaitedFor)
            consumer.release()
        }
        let asked = faucet.tap.asked.value
        pass()
        expect(faucet.tap.asked.value, is: asked)
        expect(population.alive, is: 0)
        expect(executor.count, is: 0)
    }

    @Test("let a source that ignores its cancellation retain nothing of what follows", arguments: Case.all)
    private func heedless(_ operation: Case) {
        let population = Population()
        let faucet = Faucet<TestError>(isHeedless: true)
        do {
            let member = population.member()
            let source = operation.apply(SignalProducer(faucet), scheduler)
                .heartbeat(every: .seconds(1_000), on: scheduler) {
                    member.touch()
                    return []
                }
            let consumer = consumer(source.on(event: { _ in member.touch() }))
            pass()
            faucet.send(1)
            pass()
            #expect(faucet.tap.isWaitedFor)
            consumer.release()
            pass()
        }
        expect(population.alive, is: 0)
        faucet.end()
        executor.run()
        expect(executor.count, is: 0)
    }

    @Test("pass an error on while the consumer has no room", arguments: Case.all)
    private func error(_ operation: Case) {
        let faucet = Faucet<TestError>()
        let consumer = consumer(operation.apply(SignalProducer(faucet), scheduler))
        pass()
        for number in 1...2 {
            faucet.send(number)
            pass()
        }
        faucet.fail(.second)
        pass()
        // The attempt that `retry` makes fails, too.
        faucet.fail(.second)
        for _ in 0..<3 {
            pass()
            consumer.take(9)
        }
        expect(Array(consumer.values.joined()), is: [1, 2])
        expect(consumer.end, is: "error second")
    }

    @Test("suspend the source while they hold a number of values, and lose nothing", arguments: Case.queues)
    private func queues(_ operation: Case, limit: Int) {
        for room in [1, 3, 300] {
            let scheduler = TestScheduler()
            let numbers = ReadyNumbers(1_000)
            let source = SignalProducer(numbers).promoteError(TestError.self)
            let consumer = SlowConsumer(operation.apply(source, scheduler), room: room, executor)
            expect(numbers.asked.value, is: limit)
            executor.run()
            expect(numbers.asked.value, is: limit)
            let isBatch = limit == 4
            let most = isBatch ? (room + 1) * limit : room + limit
            var received = 0
            while consumer.end == nil {
                executor.within { scheduler.advance(by: .seconds(1)) }
                executor.run()
                received = consumer.values.reduce(0) { $0 + $1.count }
                #expect(min(numbers.asked.value, 1_000) - received <= most, "room \(room)")
                consumer.take()
            }
            expect(Array(consumer.values.joined()), is: Array(1...1_000))
        }
    }

    @Test("have no limit if nothing suspends the source")
    func unlimited() {
        let log = Log<Int>()
        let numbers = [ReadyNumbers(1_000), ReadyNumbers(1_000), ReadyNumbers(1_000)]
        executor.within {
            SignalProducer(numbers[0]).observe(on: scheduler).startWithNext { log.append($0) }
            SignalProducer(numbers[1]).delay(.seconds(1), on: scheduler).startWithNext { log.append($0) }
            SignalProducer(numbers[2]).collect(every: .seconds(1), upTo: 9, on: scheduler).flatten()
                .startWithNext { log.append($0) }
        }
        executor.run()
        for numbers in numbers { expect(numbers.asked.value, is: 1_001) }
        scheduler.advance(by: .seconds(1))
        expect(log.count, is: 3_000)
    }

    // MARK: Time

    @Test("timeout(between:) does not count the time for which the consumer suspends the source")
    func timeoutBetween() {
        let faucet = Faucet<TestError>()
        let source = SignalProducer(faucet).timeout(between: .seconds(10), raising: .first, on: scheduler)
        let consumer = consumer(source, room: 1)
        faucet.send(1)
        pass(seconds: 100)
        consumer.take()
        expect(consumer.values, is: [1])
        // The source goes on now.
        #expect(faucet.tap.isWaitedFor)
        pass(seconds: 9)
        faucet.send(2)
        pass(seconds: 9)
        consumer.take()
        expect(consumer.values, is: [1, 2])
        pass(seconds: 9)
        consumer.request()
        executor.run()
        expect(consumer.end, is: nil)
        pass(seconds: 1)
        expect(consumer.end, is: "error first")
    }

    @Test("two timeouts both know that the source waits")
    func twoTimeouts() {
        let faucet = Faucet<TestError>()
        let source = SignalProducer(faucet).timeout(between: .seconds(10), raising: .first, on: scheduler)
            .observe(on: scheduler).timeout(between: .seconds(5), raising: .second, on: scheduler)
        let consumer = consumer(source, room: 1)
        // When the first value arrives, the source already waits for the second.
        faucet.send(1)
        pass(seconds: 1)
        faucet.send(2)
        pass(seconds: 100)
        consumer.take(2)
        pass(seconds: 4)
        faucet.send(3)
        pass(seconds: 1)
        faucet.send(4)
        pass(seconds: 100)
        consumer.take(2)
        pass(seconds: 5)
        consumer.take()
        expect(consumer.values, is: [1, 2, 3, 4])
        expect(consumer.end, is: "error second")
    }

    @Test("timeout(after:) is a time for everything, also for what the consumer needs")
    func timeoutAfter() {
        let faucet = Faucet<TestError>()
        let consumer = consumer(
            SignalProducer(faucet).timeout(after: .seconds(10), raising: .first, on: scheduler), room: 1)
        faucet.send(1, 2)
        pass(seconds: 10)
        consumer.take(2)
        expect(consumer.values, is: [1])
        expect(consumer.end, is: "error first")
    }

    @Test("heartbeats do not fill the consumer, and leave room for the source")
    func heartbeats() {
        let faucet = Faucet<TestError>()
        let consumer = consumer(
            SignalProducer(faucet).heartbeat(every: .seconds(1), on: scheduler) { 0 }, room: 4)
        pass(seconds: 50)
        consumer.take(4)
        expect(consumer.values, is: [0, 0, 0, 0])
        consumer.take()
        expect(consumer.values.count, is: 4, "there are no others")
        pass(seconds: 50)
        for number in 1...9 { faucet.send(number) }
        for _ in 0..<60 {
            pass(seconds: 2)
            consumer.take()
        }
        expect(consumer.values.filter { $0 > 0 }, is: Array(1...9))
        consumer.release()
        pass()
    }

    @Test("empty arrays do not fill the consumer, and leave room for the source")
    func emptyArrays() {
        let faucet = Faucet<TestError>()
        let consumer = consumer(SignalProducer(faucet).collect(every: .seconds(1), on: scheduler), room: 4)
        pass(seconds: 50)
        consumer.take(4)
        expect(consumer.values, is: [[], [], [], []])
        pass(seconds: 50)
        for number in 1...9 { faucet.send(number) }
        for _ in 0..<60 {
            pass(seconds: 2)
            consumer.take()
        }
        expect(Array(consumer.values.joined()), is: Array(1...9))
        consumer.release()
        pass()
    }

    @Test("collect(every:upTo:) goes on when the values that a full array has left fit again")
    func rest() {
        let faucet = Faucet<TestError>()
        let batches = SignalProducer(faucet).map { [$0, $0, $0] }.flatten()
            .collect(every: .seconds(3_600), upTo: 2, on: scheduler)
        let consumer = consumer(batches, room: 9)
        pass()
        faucet.send(1)
        pass()
        #expect(faucet.tap.isWaitedFor)
        consumer.take()
        expect(consumer.values, is: [[1, 1]])
        consumer.release()
        pass()
    }

    @Test("nothing is asked to wait that would starve an open window")
    func windows() {
        let faucet = Faucet<Never>()
        let log = Log<[Int]>()
        let windows = SignalProducer<Int, Never>(faucet)
            .window(until: SignalProducer<Never, Never>.empty, bufferLimit: 9, whenFull: .dropOldest)
        executor.within {
            windows.mapAsync(maxConcurrent: 1) { window in await window.collectAll() ?? [] }
                .startWithNext { log.append($0) }
        }
        executor.run()
        faucet.send(1, 2, 3)
        executor.run()
        faucet.end()
        executor.run()
        expect(log.all, is: [[1, 2, 3]])
    }

    // MARK: Several sources

    @Test("merge suspends all its producers, each separately", arguments: [1, 2, 5])
    func merge(room: Int) {
        let numbers = [ReadyNumbers(50), ReadyNumbers(50), ReadyNumbers(50)]
        let consumer = consumer(.merge(numbers.map { SignalProducer($0).promoteError() }), room: room)
        while consumer.end == nil {
            let asked = numbers.reduce(0) { $0 + min($1.asked.value, 50) }
            // Each may exceed the limit by a value.
            #expect(asked - consumer.values.count <= room + 2)
            consumer.take()
        }
        expect(consumer.values.sorted(), is: (1...50).flatMap { [$0, $0, $0] })
        expect(consumer.end, is: "completed")
    }

    @Test("combineLatest suspends all its producers, each separately")
    func combineLatest() {
        let numbers = [ReadyNumbers(50), ReadyNumbers(50)]
        let sources = numbers.map { SignalProducer($0).promoteError(TestError.self) }
        let consumer = consumer(sources[0].combineLatest(with: sources[1]).map { $0 + $1 }, room: 3)
        while consumer.end == nil {
            // The values of one that come before the first of the other need no room.
            let asked = min(numbers[1].asked.value, 50)
            #expect(asked <= consumer.values.count + 4)
            consumer.take()
        }
        expect(consumer.values.last, is: 100)
        expect(consumer.end, is: "completed")
    }

    @Test("concat suspends the producer whose turn it is")
    func concat() {
        let numbers = [ReadyNumbers(5), ReadyNumbers(5)]
        let sources = numbers.map { SignalProducer($0).promoteError(TestError.self) }
        let consumer = consumer(sources[0].concat(value: 0).concat(sources[1]), room: 2)
        expect(numbers.map(\.asked.value), is: [2, 0])
        consumer.take(20)
        expect(consumer.values, is: [1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5])
        expect(consumer.end, is: "completed")
    }

    @Test("retry suspends every attempt")
    func retry() {
        let numbers = ReadyNumbers(4)
        let failing = SignalProducer(numbers).promoteError(TestError.self).concat(error: .first)
        let consumer = consumer(failing.retry(upTo: 1), room: 1)
        expect(numbers.asked.value, is: 1)
        consumer.take(5)
        expect(consumer.values, is: [1, 2, 3, 4, 1])
        #expect(numbers.asked.value <= 7)
        consumer.take(9)
        expect(consumer.values, is: [1, 2, 3, 4, 1, 2, 3, 4])
        expect(consumer.end, is: "error first")
    }

    // MARK: Where it has no meaning

    @Test("trap if a source cannot be suspended, and say what to write")
    func traps() async throws {
        let merge = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer(ReadyNumbers(1)).merge(with: SignalProducer([1, 2]))
                .values(buffering: .suspending(2))
        }
        merge.expectTrap("values(buffering: .suspending(2)): nothing that sends to this stream can be suspended")
        let slice = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer.merge([SignalProducer(ReadyNumbers(1)), SignalProducer(ReadyNumbers(2))][...])
                .values(buffering: .suspending(2))
        }
        slice.expectTrap("values(buffering: .suspending(2)): nothing that sends to this stream can be suspended")
        let queue = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer(ReadyNumbers(1)).flatMap(.concat) { SignalProducer(value: $0) }
                .values(buffering: .suspending(2))
        }
        queue.expectTrap("values(buffering: .suspending(2)): nothing that sends to this stream can be suspended")
        #expect(queue.message.contains("whenFull: .suspend"), "\(queue.message)")
    }
}
