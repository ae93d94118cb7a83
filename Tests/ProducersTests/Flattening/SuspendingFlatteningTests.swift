import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Flattening with a queue that suspends the source", .watched)
struct SuspendingFlatteningTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()
    private let streams = HeldStreams()

    private func start<Failure>(_ producer: SignalProducer<Int, Failure>) -> any Disposable {
        executor.within { producer.start { [log] in log.append($0.text) } }
    }

    private func begin(_ count: Int, _ strategy: FlattenStrategy.Suspending) -> any Disposable {
        start(
            SignalProducer(ReadyNumbers(count)).promoteError(TestError.self)
                .flatMap(strategy) { [streams] in streams.make($0) })
    }

    /// Ends a start that is suspended, so that nothing of it stays.
    private func end(_ disposable: any Disposable) {
        disposable.dispose()
        executor.run()
    }

    /// Completes streams, and runs what follows from it.
    private func complete(_ numbers: Int...) {
        for number in numbers {
            streams.complete(number)
            executor.run()
        }
    }

    @Test("takes as many elements as may run and wait, and goes on when half of the queue is free", arguments: 0...5)
    func concat(waiting: Int) {
        let disposable = begin(40, .concat(waiting: waiting, whenFull: .suspend))
        executor.run()
        let round = max(waiting - waiting / 2, 1)
        for number in 1...20 {
            expect(streams.running, is: [number])
            expect(streams.made, is: 1 + waiting + (number - 1) / round * round, "\(waiting) may wait, \(number)")
            streams.send(number * 10, from: number)
            complete(number)
        }
        expect(log.all, is: (1...20).map { "\($0 * 10)" })
        end(disposable)
    }

    @Test("runs as many streams as it may", arguments: [false, true])
    func concurrent(ordered: Bool) {
        let disposable = begin(9, .concurrent(limit: 2, ordered: ordered, waiting: 2, whenFull: .suspend))
        executor.run()
        expect(streams.running, is: [1, 2])
        expect(streams.made, is: 4)
        streams.send(20, from: 2)
        complete(2)
        // If ordered, the value of 2 waits for 1, and counts as running.
        expect(streams.running, is: ordered ? [1] : [1, 3])
        expect(streams.made, is: ordered ? 4 : 5)
        streams.send(10, from: 1)
        complete(1)
        expect(streams.running, is: [3, 4])
        expect(streams.made, is: 6)
        complete(3, 4, 5, 6, 7, 8, 9)
        expect(log.all, is: ordered ? ["10", "20", "completed"] : ["20", "10", "completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("begins the async work of a stream that has waited only when what follows has room")
    func fullConsumer() {
        let scheduler = TestScheduler()
        let begun = Counter()
        let numbers = SignalProducer(ReadyNumbers(40)).flatMap(.concat(waiting: 20, whenFull: .suspend)) { number in
            SignalProducer<Int, Never>.async {
                begun.increment()
                return number
            }
        }
        let disposable = start(numbers.buffer(upTo: 1, whenFull: .suspend, on: scheduler))
        for sent in 0..<40 {
            executor.run()
            #expect(begun.value <= sent + 1)
            expect(log.count, is: sent)
            // One value.
            executor.within { scheduler.advance() }
        }
        executor.run()
        scheduler.advance()
        expect(log.all, is: (1...40).map { "\($0)" } + ["completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("flattens a stream of streams, and streams that cannot fail")
    func flatten() {
        let made = Counter()
        let outer = SignalProducer(ReadyNumbers(9)).map { [streams] number in
            made.increment()
            return streams.make(number).ignoreErrors()
        }
        let disposable = start(outer.flatten(.concat(waiting: 1, whenFull: .suspend)))
        executor.run()
        expect(made.value, is: 2)
        complete(1)
        expect(made.value, is: 3)
        end(disposable)
    }

    @Test("needs no queue for streams of a single value, or of none")
    func values() {
        let numbers = ReadyNumbers(100)
        let disposable = start(
            SignalProducer(numbers).flatMap(.concat(waiting: 0, whenFull: .suspend)) {
                $0 % 2 == 0 ? SignalProducer<Int, Never>.empty : SignalProducer(value: $0)
            })
        executor.run()
        expect(log.count, is: 51)
        expect(log.all.last, is: "completed")
        withExtendedLifetime(disposable) {}
    }

    @Test("keeps the streams that an operator makes of one value")
    func expansion() {
        let numbers = ReadyNumbers(2)
        let disposable = start(
            SignalProducer(numbers).promoteError(TestError.self).map { [$0 * 10, $0 * 10 + 1, $0 * 10 + 2] }.flatten()
                .flatMap(.concat(waiting: 0, whenFull: .suspend)) { [streams] in streams.make($0) })
        executor.run()
        expect(streams.made, is: 3)
        expect(numbers.asked.value, is: 1)
        complete(10, 11, 12, 20, 21, 22)
        expect(log.all, is: ["completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test(
        "cancels the source, and the streams, and makes no other", arguments: ["disposal", "error", "enough"])
    func cancellation(_ cause: String) {
        let numbers = ReadyNumbers(100)
        let population = Population()
        do {
            let member = population.member()
            let producer = SignalProducer(numbers).promoteError(TestError.self)
                .flatMap(.concurrent(limit: 2, waiting: 1, whenFull: .suspend)) { [streams] number in
                    member.touch()
                    return streams.make(number)
                }
            let disposable = start(cause == "enough" ? producer.take(first: 1) : producer)
            executor.run()
            expect(numbers.asked.value, is: 3)
            switch cause {
            case "disposal": disposable.dispose()
            case "error": streams.fail(2)
            default: streams.send(7, from: 1)
            }
            executor.run()
        }
        let expected = ["disposal": ["interrupted"], "error": ["error first"], "enough": ["7", "completed"]]
        expect(log.all, is: expected[cause] ?? [])
        expect(numbers.asked.value, is: 3)
        expect(streams.running, is: [])
        expect(population.alive, is: 0)
        expect(executor.count, is: 0)
    }

    @Test("is suspended by a buffer downstream, together with inner streams that can be suspended")
    func buffer() {
        let scheduler = TestScheduler()
        let (numbers, inner) = (ReadyNumbers(10), Counter())
        let producer = SignalProducer(numbers).flatMap(.concat(waiting: 1, whenFull: .suspend)) { number in
            SignalProducer<Int, Never>.unfold(0) { index async in
                inner.increment()
                return index == 10 ? nil : (number * 100 + index, index + 1)
            }
        }
        let disposable = start(producer.buffer(upTo: 3, whenFull: .suspend, on: scheduler))
        executor.run()
        expect(inner.value, is: 3)
        expect(numbers.asked.value, is: 2)
        for _ in 0..<200 {
            scheduler.advance()
            executor.run()
        }
        expect(log.all, is: (1...10).flatMap { number in (0..<10).map { "\(number * 100 + $0)" } } + ["completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("loses nothing, and lets no more streams wait than its limit, in many random steps")
    func random() {
        var steps = 0
        var seed: UInt64 = 1
        while steps < thorough(100_000) {
            var random = SplitMix64(seed: seed)
            let (limit, waiting, ordered) = (random.number(in: 1...4), random.number(in: 0...5), random.once(in: 2))
            let place: Comment = "seed \(seed), limit \(limit), waiting \(waiting), ordered \(ordered)"
            let (executor, streams, received) = (HandDrivenExecutor(), HeldStreams(), Log<Int>())
            let disposable = executor.within {
                SignalProducer(ReadyNumbers(60)).promoteError(TestError.self)
                    .flatMap(.concurrent(limit: limit, ordered: ordered, waiting: waiting, whenFull: .suspend)) {
                        streams.make($0)
                    }
                    .start { event in
                        if let value = event.value { received.append(value) }
                    }
            }
            var sent: [Int: Int] = [:]
            while !disposable.isDisposed {
                steps += 1
                let running = streams.running
                if random.once(in: 3) || running.isEmpty {
                    executor.run()
                    let left = 60 - streams.completed
                    if !ordered { expect(streams.running.count, is: min(limit, left), place) }
                    #expect(left == 0 || !streams.running.isEmpty, place)
                } else {
                    let stream = random.pick(running)
                    if random.once(in: 3) {
                        streams.complete(stream)
                    } else {
                        sent[stream, default: 0] += 1
                        streams.send(stream * 1_000 + sent[stream, default: 0], from: stream)
                    }
                    if random.once(in: 2) { executor.runOne { random.number(in: 0...$0 - 1) } }
                }
                #expect(streams.running.count <= limit, place)
                #expect(streams.made - streams.started <= waiting, place)
            }
            let all = (1...60).flatMap { stream in (0..<sent[stream, default: 0]).map { stream * 1_000 + $0 + 1 } }
            expect(ordered ? received.all : received.all.sorted(), is: all, place)
            seed += 1
        }
    }

    @Test("describes a strategy as written in code, and compares strategies by that")
    func descriptions() {
        let strategies: [FlattenStrategy.Suspending] = [
            .concat(waiting: 0, whenFull: .suspend), .concat(waiting: 2, whenFull: .suspend),
            .concurrent(limit: 2, waiting: 2, whenFull: .suspend),
            .concurrent(limit: 2, ordered: true, waiting: 2, whenFull: .suspend),
        ]
        expect(
            strategies.map(\.description),
            is: [
                ".concat(waiting: 0, whenFull: .suspend)", ".concat(waiting: 2, whenFull: .suspend)",
                ".concurrent(limit: 2, waiting: 2, whenFull: .suspend)",
                ".concurrent(limit: 2, ordered: true, waiting: 2, whenFull: .suspend)",
            ])
        for (index, one) in strategies.enumerated() {
            for (other, two) in strategies.enumerated() { expect(one == two, is: index == other) }
        }
        expect(
            FlattenStrategy.Suspending.concurrent(limit: .max, waiting: .max, whenFull: .suspend).description,
            is: ".concurrent(limit: \(Int.max), waiting: \(Int.max), whenFull: .suspend)")
    }

    @Test("traps for a negative number, a limit of zero, or a source that cannot wait")
    func traps() async throws {
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlattenStrategy.Suspending.concat(waiting: -1, whenFull: .suspend)
        }
        negative.expectTrap(
            ".concat(waiting: -1, whenFull: .suspend): the number of waiting streams must not be negative")
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlattenStrategy.Suspending.concurrent(limit: 0, waiting: 1, whenFull: .suspend)
        }
        zero.expectTrap("concurrent(limit: 0): the limit must be positive")
        let source = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer([1, 2]).flatMap(.concat(waiting: 3, whenFull: .suspend)) { SignalProducer(value: $0) }
        }
        source.expectTrap("flatMap: .concat(waiting: 3, whenFull: .suspend): the source cannot be suspended")
    }

    @Test("is not offered on a signal", .notUnderSanitizers)
    func signals() throws {
        let messages = try compilerMessages(
            about: """
                func f(_ signal: Signal<Int, Never>) -> Signal<Int, Never> {
                    signal.flatMap(.concat(waiting: 1, whenFull: .suspend)) { SignalProducer(value: $0) }
                }
                """)
        #expect(messages.contains("error:"), "\(messages)")
        #expect(messages.contains("suspend"), "\(messages)")
    }
}

/// Inner streams that the test drives, identified by numbers.
private final class HeldStreams: Sendable {
    private struct State {
        var made = 0
        var started = 0
        var completed = 0
        var inputs: [Int: Signal<Int, TestError>.Observer] = [:]
    }

    private let state = Locked(State())

    /// The number of streams that have been made for values.
    var made: Int { state.withLock { $0.made } }
    var started: Int { state.withLock { $0.started } }
    var completed: Int { state.withLock { $0.completed } }
    /// The streams that have started and have not ended.
    var running: [Int] { state.withLock { $0.inputs.keys.sorted() } }

    func make(_ number: Int) -> SignalProducer<Int, TestError> {
        state.withLock { $0.made += 1 }
        return SignalProducer { [self] observer, lifetime in
            state.withLock { state in
                state.started += 1
                state.inputs[number] = observer
            }
            lifetime.observeEnded { [self] in _ = take(number) }
        }
    }

    private func take(_ number: Int) -> Signal<Int, TestError>.Observer? {
        state.withLock { $0.inputs.removeValue(forKey: number) }
    }

    func send(_ value: Int, from number: Int) { state.withLock { $0.inputs[number] }?.sendNext(value) }

    func complete(_ number: Int) {
        state.withLock { $0.completed += 1 }
        take(number)?.sendCompleted()
    }

    func fail(_ number: Int) { take(number)?.sendError(.first) }
}
