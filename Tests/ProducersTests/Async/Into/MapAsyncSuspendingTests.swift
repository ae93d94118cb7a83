import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("mapAsync of producers that can be suspended", .watched)
struct MapAsyncSuspendingTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()
    private let work = HeldWork()

    private func mapped(
        _ source: SignalProducer<Int, TestError>, _ maxConcurrent: Int, ordered: Bool = true
    ) -> SignalProducer<Int, TestError> {
        source.mapAsync(maxConcurrent: maxConcurrent, ordered: ordered) { [work] value async throws(TestError) in
            try await work.transform(value)
        }
    }

    private func start(_ producer: SignalProducer<Int, TestError>) -> any Disposable {
        executor.within { producer.start { [log] in log.append($0.text) } }
    }

    /// Lets transformations succeed, one after another, and runs what follows from each.
    private func finish(_ values: Int...) {
        for value in values {
            work.finish(value)
            executor.run()
        }
    }

    /// Ends a start, and all that it runs, so that nothing of it stays.
    private func end(_ disposable: any Disposable) {
        disposable.dispose()
        executor.run()
        for value in work.values { work.finish(value) }
        executor.run()
    }

    @Test("takes as many elements as may run, and one more for each result", arguments: [1, 2, 3, 8], [false, true])
    func limit(maxConcurrent: Int, ordered: Bool) {
        let numbers = ReadyNumbers(20)
        let disposable = start(mapped(SignalProducer(numbers).promoteError(), maxConcurrent, ordered: ordered))
        executor.run()
        for value in 1...20 {
            expect(numbers.asked.value, is: min(value + maxConcurrent - 1, 21))
            expect(work.values, is: Array((value...20).prefix(maxConcurrent)))
            finish(value)
        }
        expect(log.all, is: (1...20).map { "\($0 * 10)" } + ["completed"])
        expect(numbers.asked.value, is: 21)
        withExtendedLifetime(disposable) {}
    }

    @Test("takes no element while the observer handles a result")
    func handling() {
        let numbers = ReadyNumbers(3)
        let asked = Log<Int>()
        let producer = mapped(SignalProducer(numbers).promoteError(), 1).on(next: { [executor] _ in
            executor.run()
            asked.append(numbers.asked.value)
        })
        let disposable = start(producer)
        executor.run()
        finish(1, 2, 3)
        expect(asked.all, is: [1, 2, 3])
        expect(log.all, is: ["10", "20", "30", "completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("counts results that wait for earlier ones, if ordered")
    func results() {
        let numbers = ReadyNumbers(20)
        let disposable = start(mapped(SignalProducer(numbers).promoteError(), 3))
        executor.run()
        finish(2, 3)
        expect(numbers.asked.value, is: 3, "2 and 3 wait for 1")
        finish(1)
        expect(numbers.asked.value, is: 6)
        expect(log.all, is: ["10", "20", "30"])
        end(disposable)
    }

    @Test("takes an element for each result in any order, if unordered")
    func unordered() {
        let numbers = ReadyNumbers(20)
        let disposable = start(mapped(SignalProducer(numbers).promoteError(), 3, ordered: false))
        executor.run()
        finish(2, 3)
        expect(numbers.asked.value, is: 5)
        expect(work.values, is: [1, 4, 5])
        end(disposable)
    }

    @Test("suspends unfold(_:async:), a pulling source, and a source behind operators that pass on events")
    func sources() {
        let calls = Counter()
        let unfolded = start(
            mapped(
                .unfold(1) { number async throws(TestError) in
                    calls.increment()
                    return (number, number + 1)
                }, 2))
        executor.run()
        expect(calls.value, is: 2)
        end(unfolded)

        let pulled = ReadyNumbers(100)
        let pulling = start(
            mapped(
                SignalProducer(pulling: pulled, maxConcurrent: 1) { number in
                    SignalProducer.async { number }.promoteError()
                }, 2))
        executor.run()
        expect(work.values, is: [1, 2])
        #expect((2...3).contains(pulled.asked.value), "\(pulled.asked.value)")
        end(pulling)

        let filtered = ReadyNumbers(100)
        let behind = start(mapped(SignalProducer(filtered).promoteError().filter { $0 % 2 == 0 }.map { $0 + 1 }, 2))
        executor.run()
        expect(work.values, is: [3, 5])
        expect(filtered.asked.value, is: 4)
        end(behind)
    }

    @Test("queues the values of a source that cannot be suspended")
    func otherSources() {
        let disposable = start(mapped(SignalProducer(1...5), 2))
        executor.run()
        expect(work.values, is: [1, 2])
        finish(1, 2, 3, 4, 5)
        expect(log.all, is: ["10", "20", "30", "40", "50", "completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("keeps what an operator makes of one value")
    func expansion() {
        let numbers = ReadyNumbers(2)
        let producer = mapped(SignalProducer(numbers).promoteError().map { [$0 * 2, $0 * 2 + 1] }.flatten(), 1)
        let disposable = start(producer)
        executor.run()
        expect(work.values, is: [2])
        expect(numbers.asked.value, is: 1)
        finish(2, 3, 4, 5)
        expect(log.all, is: ["20", "30", "40", "50", "completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("is suspended by a buffer downstream, and lets it exceed its limit by no more than what may run")
    func buffer() {
        let scheduler = TestScheduler()
        let numbers = ReadyNumbers(100)
        let disposable = start(
            mapped(SignalProducer(numbers).promoteError(), 2).buffer(upTo: 3, whenFull: .suspend, on: scheduler))
        executor.run()
        finish(1, 2, 3)
        // Three values wait. Those that were running when the third arrived are completed.
        expect(numbers.asked.value, is: 4)
        finish(4)
        expect(numbers.asked.value, is: 4)
        expect(work.values, is: [])
        scheduler.advance()
        executor.run()
        expect(log.all, is: ["10", "20", "30", "40"])
        expect(work.values, is: [5, 6])
        end(disposable)
        scheduler.advance()
    }

    @Test("is suspended by a consumer downstream")
    func consumer() {
        let numbers = ReadyNumbers(100)
        let values = mapped(SignalProducer(numbers).promoteError(), 1).values(buffering: .suspending(2))
        let received = Log<Int>()
        let iterator = Locked(executor.within { values.makeAsyncIterator() } as AsyncValues<Int, TestError>.Iterator?)
        executor.run()
        finish(1, 2)
        expect(numbers.asked.value, is: 2)
        Task(executorPreference: executor) {
            guard var own = iterator.withLock({ $0.take() }) else { return }
            while received.count < 2, let value = try? await own.next() { received.append(value) }
        }
        executor.run()
        expect(received.all, is: [10, 20])
        // The consumer has gone. What has been started ends with it.
        for value in work.values { finish(value) }
        #expect(numbers.asked.value <= 3)
    }

    @Test("suspends each start separately")
    func starts() {
        let numbers = ReadyNumbers(100)
        let producer = mapped(SignalProducer(numbers).promoteError(), 2)
        let first = start(producer)
        executor.run()
        expect(numbers.asked.value, is: 2)
        let second = start(producer.map { $0 })
        executor.run()
        expect(numbers.asked.value, is: 4)
        end(first)
        end(second)
    }

    @Test(
        "cancels the source and the transformations, and takes no further element",
        arguments: ["disposal", "error", "enough", "disposal from inside"])
    func end(_ cause: String) {
        let population = Population()
        let numbers = ReadyNumbers(100)
        let own = SerialDisposable()
        do {
            let member = population.member()
            let source = mapped(SignalProducer(numbers).promoteError().on(event: { _ in member.touch() }), 3)
            let producer = cause == "enough" ? source.take(first: 1) : source
            own.inner = executor.within {
                producer.start { [log] event in
                    log.append(event.text)
                    if cause == "disposal from inside" { own.dispose() }
                }
            }
        }
        executor.run()
        expect(numbers.asked.value, is: 3)
        switch cause {
        case "disposal": own.dispose()
        case "error":
            work.fail(2)
            executor.run()
        default:
            // Its result is sent after that of 1, and so not at all.
            finish(2, 1)
        }
        executor.run()
        let expected = [
            "disposal": ["interrupted"], "error": ["error first"], "enough": ["10", "completed"],
            "disposal from inside": ["10", "interrupted"],
        ]
        expect(log.all, is: expected[cause] ?? [])
        expect(numbers.asked.value, is: 3)
        for value in work.values { work.finish(value) }
        executor.run()
        expect(population.alive, is: 0)
        expect(executor.count, is: 0)
        expect(work.cancellations.value, is: cause == "disposal" ? 3 : cause == "error" ? 2 : 1)
    }

    @Test("sends an error of the source at once, and its completion after all results")
    func sourceEnds() {
        let faucet = Faucet<TestError>()
        let disposable = start(mapped(SignalProducer(faucet), 2))
        faucet.send(1)
        faucet.end()
        executor.run()
        expect(log.all, is: [])
        finish(1)
        expect(log.all, is: ["10", "completed"])

        let failing = Faucet<TestError>()
        let second = start(mapped(SignalProducer(failing), 2))
        failing.send(2)
        failing.fail(.second)
        executor.run()
        expect(log.all.last, is: "error second")
        finish(2)
        expect(log.count, is: 3)
        withExtendedLifetime((disposable, second)) {}
    }

    @Test("loses nothing, and takes no more than its limit ahead of the results, in many random steps")
    func random() {
        var steps = 0
        var seed: UInt64 = 1
        while steps < thorough(100_000) {
            var random = SplitMix64(seed: seed)
            let (limit, ordered) = (random.number(in: 1...6), random.once(in: 2))
            let (executor, work, received) = (HandDrivenExecutor(), HeldWork(), Log<Int>())
            let numbers = ReadyNumbers(100)
            let place: Comment = "seed \(seed), limit \(limit), ordered \(ordered)"
            let disposable = executor.within {
                SignalProducer(numbers).promoteError(TestError.self)
                    .mapAsync(maxConcurrent: limit, ordered: ordered) { value async throws(TestError) in
                        try await work.transform(value)
                    }
                    .startWithValues(received)
            }
            var started: [Int] = []
            while !disposable.isDisposed {
                steps += 1
                if random.once(in: 3) {
                    executor.run()
                    // Everything that can happen has happened.
                    let held = ordered ? started.filter { !received.all.contains($0 * 10) }.count : 0
                    let left = 100 - received.count
                    expect(work.values.count, is: min(limit, left) - min(held, left), place)
                } else if random.once(in: 2), !work.values.isEmpty {
                    let value = random.pick(work.values)
                    started.append(value)
                    work.finish(value)
                } else {
                    executor.runOne { random.number(in: 0...$0 - 1) }
                }
                // The last request finds the end of the sequence.
                #expect(min(numbers.asked.value, 100) - received.count <= limit, place)
                #expect(work.values.count <= limit, place)
            }
            let all = ordered ? received.all : received.all.sorted()
            expect(all, is: (1...100).map { $0 * 10 }, place)
            seed += 1
        }
    }
}

extension SignalProducer where Value == Int, Failure == TestError {
    fileprivate func startWithValues(_ log: Log<Int>) -> any Disposable {
        start { event in
            if let value = event.value { log.append(value) }
        }
    }
}
