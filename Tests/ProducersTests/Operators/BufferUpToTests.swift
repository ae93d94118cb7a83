import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("buffer(upTo:whenFull: .suspend) of producers", .watched)
struct BufferUpToTests {
    private let executor = HandDrivenExecutor()
    private let scheduler = TestScheduler()
    private let log = Log<String>()

    private func start<Failure>(_ producer: SignalProducer<Int, Failure>) -> any Disposable {
        executor.within { producer.start { [log] in log.append($0.text) } }
    }

    /// Ends starts that are suspended, so that nothing of them stays.
    private func end(_ disposables: any Disposable...) {
        for disposable in disposables { disposable.dispose() }
        scheduler.advance()
        executor.run()
    }

    @Test("has the limit in its name, as other operators with a scheduler have their count")
    func names() {
        let (source, scheduler) = (Numbers.never, TestScheduler())
        expect(
            [
                source.buffer(upTo: 2, whenFull: .dropOldest, on: scheduler).name,
                source.collect(every: .seconds(5), upTo: 7, on: scheduler).name,
                source.rateLimit(3, per: .seconds(1), buffer: 10, whenFull: .dropOldest, on: scheduler).name,
            ],
            is: ["[never] -buffer(upTo: 2)", "[never] -collect(every:upTo: 7)", "[never] -rateLimit: 3"])
    }

    @Test("asks for no more than there is room for, and goes on when half of it is free", arguments: [1, 2, 5, 8])
    func halves(limit: Int) {
        let numbers = ReadyNumbers(100)
        // What has been asked for when a value is delivered, with everything run that can run.
        let asked = Log<Int>()
        let producer = SignalProducer(numbers).buffer(upTo: limit, whenFull: .suspend, on: scheduler)
        executor.within {
            producer.startWithNext { [executor] value in
                executor.run()
                asked.append(numbers.asked.value - value)
            }
        }
        executor.run()
        expect(numbers.asked.value, is: limit)
        scheduler.advance()
        expect(asked.count, is: 100)
        // When value v is delivered, `limit - 1` others wait, down to half, and then as many as possible.
        let expected = (1...80).map { value in
            let round = limit - limit / 2
            let place = (value - 1) % round + 1
            return place == round ? limit : limit - place
        }
        expect(Array(asked.all.prefix(80)), is: expected)
    }

    @Test("delivers all values in order, then the completion")
    func order() {
        let disposable = start(SignalProducer(ReadyNumbers(10)).buffer(upTo: 3, whenFull: .suspend, on: scheduler))
        while !disposable.isDisposed {
            executor.run()
            scheduler.advance()
        }
        expect(log.all, is: (1...10).map { "\($0)" } + ["completed"])
    }

    @Test("delivers an error after the values sent before it")
    func failure() {
        let faucet = Faucet<TestError>()
        _ = start(SignalProducer(faucet).buffer(upTo: 3, whenFull: .suspend, on: scheduler))
        faucet.send(1, 2)
        faucet.fail(.first)
        executor.run()
        expect(log.all, is: [])
        scheduler.advance()
        expect(log.all, is: ["1", "2", "error first"])
    }

    @Test("completes with an empty source")
    func empty() {
        _ = start(SignalProducer(ReadyNumbers(0)).buffer(upTo: 1, whenFull: .suspend, on: scheduler))
        executor.run()
        scheduler.advance()
        expect(log.all, is: ["completed"])
    }

    @Test("suspends through operators that pass on the events, and under another name")
    func operators() {
        let numbers = ReadyNumbers(100)
        let producer = SignalProducer(numbers).map { $0 * 2 }.filter { $0 % 4 == 0 }.on(next: { _ in }).named("evens")
            .buffer(upTo: 3, whenFull: .suspend, on: scheduler)
        let disposable = start(producer)
        executor.run()
        expect(numbers.asked.value, is: 6)
        scheduler.advance()
        expect(log.all, is: ["4", "8", "12"])
        end(disposable)
    }

    @Test("suspends unfold(_:async:), in both forms")
    func unfolding() {
        let calls = Counter()
        let first = start(
            SignalProducer<Int, Never>.unfold(1) { number async in
                calls.increment()
                return (number, number + 1)
            }.buffer(upTo: 4, whenFull: .suspend, on: scheduler))
        let second = start(
            SignalProducer<Int, TestError>.unfold(1) { number async throws(TestError) in
                calls.increment()
                return (number, number + 1)
            }.buffer(upTo: 5, whenFull: .suspend, on: scheduler))
        executor.run()
        expect(calls.value, is: 9)
        scheduler.advance()
        executor.run()
        expect(calls.value, is: 18)
        end(first, second)
    }

    @Test("suspends a pulling source and the async producers that it runs")
    func pulling() {
        let numbers = ReadyNumbers(100)
        let inner = Counter()
        let producer = SignalProducer<Int, Never>(pulling: numbers, maxConcurrent: 2) { number in
            SignalProducer<Int, Never>.unfold(0) { index async in
                inner.increment()
                return index == 10 ? nil : (number * 100 + index, index + 1)
            }
        }
        _ = start(producer.buffer(upTo: 4, whenFull: .suspend, on: scheduler))
        executor.run()
        // Each of the two producers may exceed the limit by a value.
        #expect((4...5).contains(inner.value))
        for _ in 0..<1_000 {
            scheduler.advance()
            executor.run()
        }
        expect(log.count, is: 1_001)
        expect(Set(log.all).count, is: 1_001)
    }

    @Test(
        "a suspended source is cancelled by a disposal, and by an operator that has enough", arguments: [false, true])
    func cancellation(isDisposed: Bool) {
        let population = Population()
        let numbers = ReadyNumbers(100)
        do {
            let member = population.member()
            let producer = SignalProducer(numbers).on(event: { _ in member.touch() })
                .buffer(upTo: 3, whenFull: .suspend, on: scheduler).take(first: 1)
            let disposable = start(producer)
            executor.run()
            expect(numbers.asked.value, is: 3)
            if isDisposed { disposable.dispose() }
            scheduler.advance()
        }
        executor.run()
        expect(log.all, is: isDisposed ? ["interrupted"] : ["1", "completed"])
        expect(numbers.asked.value, is: 3, "a source that has been cancelled makes no other value")
        expect(population.alive, is: 0)
        expect(executor.count, is: 0)
    }

    @Test("suspends each start separately")
    func starts() {
        let numbers = ReadyNumbers(100)
        let producer = SignalProducer(numbers).buffer(upTo: 3, whenFull: .suspend, on: scheduler)
        let starts = (start(producer), start(producer))
        executor.run()
        expect(numbers.asked.value, is: 6)
        end(starts.0, starts.1)
    }

    @Test("keeps what an operator makes of one value")
    func expansion() {
        let numbers = ReadyNumbers(3)
        let producer = SignalProducer(numbers).map { [$0, $0, $0] }.flatten()
            .buffer(upTo: 2, whenFull: .suspend, on: scheduler)
        _ = start(producer)
        executor.run()
        expect(numbers.asked.value, is: 1)
        for _ in 0..<4 {
            scheduler.advance()
            executor.run()
        }
        expect(log.all, is: ["1", "1", "1", "2", "2", "2", "3", "3", "3", "completed"])
    }

    @Test("loses nothing, and never holds more than its limit, in many random steps")
    func random() {
        var steps = 0
        var seed: UInt64 = 1
        while steps < thorough(100_000) {
            let random = Locked(SplitMix64(seed: seed))
            let limit = random.withLock { $0.number(in: 1...6) }
            let numbers = ReadyNumbers(200)
            let (executor, scheduler) = (HandDrivenExecutor(), TestScheduler())
            let received = Log<Int>()
            let most = Log<Int>()
            let producer = SignalProducer(numbers).buffer(upTo: limit, whenFull: .suspend, on: scheduler)
            let disposable = executor.within {
                producer.startWithNext { value in
                    received.append(value)
                    while random.withLock({ $0.once(in: 2) }), executor.runOne() {}
                    most.append(numbers.asked.value - received.count)
                }
            }
            while !disposable.isDisposed {
                if random.withLock({ $0.once(in: 2) }) { executor.runOne() } else { scheduler.advance() }
                steps += 1
            }
            steps += received.count
            expect(received.all, is: Array(1...200), "seed \(seed)")
            // The last request finds the end of the sequence.
            #expect(most.all.allSatisfy { $0 <= limit + 1 }, "seed \(seed), limit \(limit): \(most.all.max() ?? 0)")
            #expect(most.all.dropLast(limit + 1).allSatisfy { $0 <= limit }, "seed \(seed), limit \(limit)")
            seed += 1
        }
    }

    @Test("traps without a limit, or behind a source that cannot wait")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer(ReadyNumbers(1)).buffer(upTo: 0, whenFull: .suspend, on: ImmediateScheduler())
        }
        zero.expectTrap("buffer(upTo: 0): the limit must be positive")
        let collection = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer([1, 2]).buffer(upTo: 3, whenFull: .suspend, on: ImmediateScheduler())
        }
        collection.expectTrap("buffer(upTo: 3, whenFull: .suspend): the source cannot be suspended")
        let decoupled = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer(ReadyNumbers(1)).flatMap(.concat) { SignalProducer(value: $0) }
                .buffer(upTo: 3, whenFull: .suspend, on: ImmediateScheduler())
        }
        decoupled.expectTrap("buffer(upTo: 3, whenFull: .suspend): the source cannot be suspended")
    }

    @Test("is not offered on a signal", .notUnderSanitizers)
    func signals() throws {
        let messages = try compilerMessages(
            about: """
                func f(_ signal: Signal<Int, Never>) -> Signal<Int, Never> {
                    signal.buffer(upTo: 1, whenFull: .suspend, on: ImmediateScheduler())
                }
                """)
        #expect(messages.contains("has no member 'suspend'"), "\(messages)")
    }
}
