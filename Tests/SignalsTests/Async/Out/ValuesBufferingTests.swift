import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("values(buffering:) of signals", .watched)
struct ValuesBufferingTests {
    @Test("returns all values in order, then nil, when the signal completes")
    func completion() async throws {
        let (signal, input) = Source.pipe()
        var values = signal.values(buffering: .unbounded).makeAsyncIterator()
        for number in 1...3 { input.sendNext(number) }
        input.sendCompleted()
        var received: [Int] = []
        while let value = try await values.next() { received.append(value) }
        expect(received, is: [1, 2, 3])
        #expect(try await values.next() == nil)
    }

    @Test("can be iterated with for await, without try when the signal cannot fail")
    func loop() async {
        let producer = SignalProducer<Int, Never>([1, 2, 3])
        let numbers = producer.startWithSignal { signal, _ in
            let executor = HandDrivenExecutor()
            let log = Log<Int>()
            Task(executorPreference: executor) {
                for await value in signal.values(buffering: .unbounded) { log.append(value) }
            }
            executor.run()
            return (executor, log)
        }
        numbers.0.run()
        expect(numbers.1.all, is: [1, 2, 3])
    }

    @Test("throws the signal's typed error after the values, then returns nil")
    func failure() async throws {
        let (signal, input) = Source.pipe()
        var values = signal.values(buffering: .unbounded).makeAsyncIterator()
        input.sendNext(1)
        input.sendError(.second)
        do throws(TestError) {
            #expect(try await values.next() == 1)
            _ = try await values.next()
            Issue.record("no error")
        } catch {
            expect(error, is: .second)
        }
        #expect(try await values.next() == nil)
    }

    @Test("ends with nil when the signal is interrupted, explicitly or because its input is released")
    func interruption() async throws {
        let (signal, input) = Source.pipe()
        var values = signal.values(buffering: .unbounded).makeAsyncIterator()
        input.sendNext(1)
        input.sendInterrupted()
        #expect(try await values.next() == 1)
        #expect(try await values.next() == nil)

        var released = {
            let (signal, input) = Source.pipe()
            let values = signal.values(buffering: .unbounded).makeAsyncIterator()
            input.sendNext(1)
            return values
        }()
        #expect(try await released.next() == 1)
        #expect(try await released.next() == nil)
    }

    @Test("is empty when the signal has terminated")
    func ended() async throws {
        var values = Source.empty.values(buffering: .newest(1)).makeAsyncIterator()
        #expect(try await values.next() == nil)
    }

    @Test("starts observing when an iterator is made: skips earlier values and keeps later ones")
    func beginning() async throws {
        let (signal, input) = Source.pipe()
        let sequence = signal.values(buffering: .unbounded)
        input.sendNext(1)
        var values = sequence.makeAsyncIterator()
        input.sendNext(2)
        #expect(try await values.next() == 2)
    }

    @Test("delivers all values to every iterator")
    func iterators() async throws {
        let (signal, input) = Source.pipe()
        let sequence = signal.values(buffering: .unbounded)
        var iterators = (0..<100).map { _ in sequence.makeAsyncIterator() }
        for number in 0..<5 { input.sendNext(number) }
        input.sendCompleted()
        for index in iterators.indices {
            for number in 0..<5 { #expect(try await iterators[index].next() == number) }
            #expect(try await iterators[index].next() == nil)
        }
    }

    @Test("treats nil as a value")
    func optionals() async {
        let (signal, input) = Signal<Int?, Never>.pipe()
        var values = signal.values(buffering: .unbounded).makeAsyncIterator()
        input.sendNext(nil)
        input.sendCompleted()
        #expect(await values.next() == .some(nil))
        #expect(await values.next() == nil)
    }

    @Test("resumes a waiting consumer")
    func waking() {
        let (signal, input) = Source.pipe()
        let executor = HandDrivenExecutor()
        let log = Log<String>()
        Task(executorPreference: executor) {
            do {
                for try await value in signal.values(buffering: .unbounded) { log.append("\(value)") }
            } catch { log.append("\(error)") }
        }
        executor.run()
        input.sendNext(1)
        expect(log.all, is: [], "not on the sender's thread")
        executor.run()
        expect(log.all, is: ["1"])
        input.sendNext(2)
        executor.run()
        input.sendError(.first)
        executor.run()
        expect(log.all, is: ["1", "2", "first"])
    }

    @Test("hands over buffered values in one batch: one executor job per 10,000 values")
    func batches() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let executor = HandDrivenExecutor()
        let sum = Counter()
        Task(executorPreference: executor) {
            for await _ in signal.values(buffering: .unbounded) { sum.increment() }
        }
        executor.run()
        for number in 0..<10_000 { input.sendNext(number) }
        expect(executor.run(), is: 1)
        expect(sum.value, is: 10_000)
        for number in 0..<10_000 { input.sendNext(number) }
        input.sendCompleted()
        expect(executor.run(), is: 1)
        expect(sum.value, is: 20_000)
    }

    @Test("keeps values in order while its buffer wraps around")
    func rounds() async throws {
        let (signal, input) = Source.pipe()
        for policy in [BufferingPolicy.unbounded, .newest(100), .oldest(100)] {
            var random = SplitMix64(seed: 6)
            let sequence = signal.values(buffering: policy)
            var values = sequence.makeAsyncIterator()
            var (sent, received) = (0, 0)
            for _ in 0..<500 {
                for _ in 0..<random.number(in: 0...(100 - (sent - received))) {
                    input.sendNext(sent)
                    sent += 1
                }
                for _ in 0..<random.number(in: 0...(sent - received)) {
                    #expect(try await values.next() == received)
                    received += 1
                }
            }
            expect(sequence.droppedCount, is: 0)
            #expect(received > 1_000)
        }
    }

    @Test("resumes an isolated caller on its actor")
    @MainActor
    func isolation() async throws {
        let (signal, input) = Source.pipe()
        var count = 0
        input.sendNext(0)
        let values = signal.values(buffering: .unbounded)
        var iterator = values.makeAsyncIterator()
        input.sendNext(1)
        input.sendCompleted()
        while let value = try await iterator.next(isolation: #isolation) {
            MainActor.assertIsolated()
            count += value
        }
        expect(count, is: 1)
    }

    @Test("traps when two tasks call next() on one iterator at the same time")
    func twoConsumers() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let executor = HandDrivenExecutor()
            nonisolated(unsafe) let iterator = Source.never.values(buffering: .unbounded).makeAsyncIterator()
            for _ in 0..<2 {
                Task(executorPreference: executor) {
                    var iterator = iterator
                    _ = try await iterator.next()
                }
            }
            executor.run()
        }
        #expect(result.message.contains("next(isolation:): two tasks"))
    }

    @Test("does not compile when two tasks use one iterator", .notUnderSanitizers)
    func sendability() throws {
        let messages = try compilerMessages(
            about: """
                func f(_ signal: Signal<Int, Never>) {
                    let iterator = signal.values(buffering: .unbounded).makeAsyncIterator()
                    Task { var iterator = iterator; _ = await iterator.next() }
                    Task { var iterator = iterator; _ = await iterator.next() }
                }
                """)
        #expect(messages.contains("data race"), "\(messages)")
    }
}

@Suite("Cancellation of values(buffering:)", .watched)
struct ValuesBufferingCancellationTests {
    @Test("disposes of the observation and ends with nil when the waiting task is cancelled")
    func cancellation() {
        let (signal, input) = Source.pipe()
        let executor = HandDrivenExecutor()
        let log = Log<String>()
        let task = Task(executorPreference: executor) {
            var values = signal.values(buffering: .unbounded).makeAsyncIterator()
            for _ in 0..<2 { log.append(try await values.next() == nil ? "nil" : "a value") }
        }
        executor.run()
        #expect(signal.core.isObserved)
        task.cancel()
        #expect(!signal.core.isObserved)
        input.sendNext(1)
        executor.run()
        expect(log.all, is: ["nil", "nil"])
    }

    @Test("stops in the middle of a batch when the task is cancelled, and discards the rest")
    func cancellationInBatch() {
        let population = Population()
        let (signal, input) = Signal<Population.Member, TestError>.pipe()
        let executor = HandDrivenExecutor()
        let log = Log<Int>()
        Task(executorPreference: executor) {
            for try await _ in signal.values(buffering: .unbounded) {
                log.append(population.alive)
                if log.count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        executor.run()
        for _ in 0..<5 { input.sendNext(population.member()) }
        executor.run()
        expect(log.all, is: [4, 3], "each value goes with its turn of the loop")
        expect(population.alive, is: 0)
        #expect(!signal.core.isObserved)
    }

    @Test("resumes the cancelled task outside the lock, and keeps no event sent during that")
    func arrivalsMeanwhile() {
        struct Epitaph: Error { let member: Population.Member }
        let population = Population()
        let (signal, input) = Signal<Population.Member, Epitaph>.pipe()
        let isClosing = DoneFlag()
        // Called by the resumption: this would deadlock if the lock were held.
        let executor = HandDrivenExecutor {
            guard isClosing.isRaised else { return }
            input.sendNext(population.member())
            input.sendError(Epitaph(member: population.member()))
        }
        let log = Log<Bool>()
        let task = Task(executorPreference: executor) {
            var values = signal.values(buffering: .unbounded).makeAsyncIterator()
            log.append(try await values.next() == nil)
        }
        executor.run()
        isClosing.raise()
        task.cancel()
        expect(population.alive, is: 0)
        executor.run()
        expect(log.all, is: [true])
    }

    @Test(
        "releases everything at the first nil after a cancellation, even if the iterator is kept",
        arguments: [BufferingPolicy.unbounded, .oldest(9)])
    func keptIterator(policy: BufferingPolicy) {
        let population = Population()
        let (signal, input) = Signal<Population.Member, TestError>.pipe()
        let executor = HandDrivenExecutor()
        let log = Log<String>()
        Task(executorPreference: executor) {
            var values = signal.values(buffering: policy).makeAsyncIterator()
            _ = try await values.next()
            withUnsafeCurrentTask { $0?.cancel() }
            let isOver = try await values.next() == nil
            log.append("over \(isOver), alive \(population.alive), observed \(signal.core.isObserved)")
            log.append("again \(try await values.next() == nil)")
        }
        executor.run()
        for _ in 0..<5 { input.sendNext(population.member()) }
        executor.run()
        expect(log.all, is: ["over true, alive 0, observed false", "again true"])
    }

    @Test("does not observe in a task that is already cancelled")
    func cancelledBefore() {
        let (signal, _) = Source.pipe()
        let executor = HandDrivenExecutor()
        let log = Log<Bool>()
        let task = Task(executorPreference: executor) {
            var values = signal.values(buffering: .unbounded).makeAsyncIterator()
            log.append(signal.core.isObserved)
            log.append(try await values.next() == nil)
        }
        task.cancel()
        executor.run()
        expect(log.all, is: [false, true])
    }

    @Test("disposes of the observation and releases the values when the iterator is released")
    func release() {
        let population = Population()
        let (signal, input) = Signal<Population.Member, TestError>.pipe()
        do {
            let values = signal.values(buffering: .unbounded).makeAsyncIterator()
            for _ in 0..<100 { input.sendNext(population.member()) }
            expect(population.alive, is: 100)
            withExtendedLifetime(values) {}
        }
        expect(population.alive, is: 0)
        #expect(!signal.core.isObserved)
    }

    @Test("releases what is attached to the lifetime of a signal that nothing else retains")
    func upstream() {
        let population = Population()
        let (signal, input) = Source.pipe()
        do {
            let member = population.member()
            let mapped = signal.map { value in
                member.touch()
                return value
            }
            let values = mapped.values(buffering: .unbounded).makeAsyncIterator()
            input.sendNext(1)
            withExtendedLifetime(values) {}
        }
        expect(population.alive, is: 0)
    }

    @Test("always throws an error that arrives while the consumer asks for a value")
    func errorRace() {
        for _ in 0..<raceRounds {
            let (signal, input) = Source.pipe()
            let executor = HandDrivenExecutor()
            let iterator = signal.values(buffering: .oldest(1)).makeAsyncIterator()
            let outcome = Log<String>()
            let isDone = DoneFlag()
            Task(executorPreference: executor) {
                var iterator = iterator
                do throws(TestError) {
                    while let value = try await iterator.next(isolation: nil) { outcome.append("\(value)") }
                    outcome.append("nil")
                } catch { outcome.append("\(error)") }
                isDone.raise()
            }
            onThreads(2, "error race") { index in
                if index == 0 { executor.run(until: isDone) } else { input.sendError(.first) }
            }
            expect(outcome.all, is: ["first"])
        }
    }

    @Test("always returns a value that arrives while the consumer asks for one")
    func valueRace() {
        for _ in 0..<raceRounds {
            let (signal, input) = Source.pipe()
            let executor = HandDrivenExecutor()
            let iterator = signal.values(buffering: .oldest(1)).makeAsyncIterator()
            let outcome = Log<Int?>()
            let isDone = DoneFlag()
            Task(executorPreference: executor) {
                var iterator = iterator
                outcome.append(try? await iterator.next(isolation: nil))
                isDone.raise()
            }
            onThreads(2, "value race") { index in
                if index == 0 { executor.run(until: isDone) } else { input.sendNext(1) }
            }
            expect(outcome.all, is: [1])
        }
    }

    @Test("resumes once and leaks nothing when cancellation races with a value")
    func cancellationRace() {
        let population = Population()
        for _ in 0..<raceRounds {
            let (signal, input) = Signal<Population.Member, Never>.pipe()
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let counts = Log<Int>()
            let task = Task(executorPreference: executor) {
                var count = 0
                for await _ in signal.values(buffering: .unbounded) { count += 1 }
                counts.append(count)
                isDone.raise()
            }
            executor.run()
            onThreads(3, "cancellation race") { index in
                switch index {
                case 0: executor.run(until: isDone)
                case 1: task.cancel()
                default: for _ in 0..<3 { input.sendNext(population.member()) }
                }
            }
            expect(counts.count, is: 1)
            #expect((0...3).contains(counts.all[0]))
            #expect(!signal.core.isObserved)
        }
        expect(population.alive, is: 0)
    }

    @Test("matches the model for random interleavings", arguments: 0..<5)
    func model(part: UInt64) {
        for seed in 0..<thorough(500) {
            checkRandomRound(seed: part * 500 + UInt64(seed)) { sent, _ in
                let (signal, input) = Signal<Parcel, TestError>.pipe()
                signal.observe { event in
                    if case .next(let parcel) = event { sent.append(parcel.number) }
                }
                return Bridge(
                    endings: [.completed, .failed, .interrupted], send: { input.sendNext($0) },
                    end: { ending in
                        switch ending {
                        case .completed: input.sendCompleted()
                        case .failed: input.sendError(.first)
                        case .interrupted, .abandoned: input.sendInterrupted()
                        }
                    }, values: { signal.values(buffering: $0) }, events: { signal.events(buffering: $0) })
            }
        }
    }
}

@Suite("values(buffering:) on the concurrent pool", .watched)
struct ValuesBufferingPoolTests {
    @Test("delivers all values to each of several tasks on the pool")
    func pool() async {
        let (signal, input) = Signal<Int, Never>.pipe()
        let sequence = signal.values(buffering: .unbounded)
        let tasks = (0..<4).map { _ in
            let iterator = sequence.makeAsyncIterator()
            return Task {
                var iterator = iterator
                var expected = 0
                while let value = await iterator.next(isolation: nil) {
                    guard value == expected else { return -1 }
                    expected += 1
                }
                return expected
            }
        }
        let sender = TestThread("sender") {
            for number in 0..<50_000 { input.sendNext(number) }
            input.sendCompleted()
        }
        for task in tasks { #expect(await task.value == 50_000) }
        sender.join()
    }
}
