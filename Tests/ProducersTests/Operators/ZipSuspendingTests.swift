import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("zip(with:bufferLimit:whenFull: .suspend) of producers", .watched)
struct ZipSuspendingTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()

    private func start<Failure>(_ producer: SignalProducer<(Int, Int), Failure>) -> any Disposable {
        executor.within { producer.start { [log] in log.append($0.text) } }
    }

    /// Ends a start that is suspended, so that nothing of it stays.
    private func end(_ disposable: any Disposable) {
        disposable.dispose()
        executor.run()
    }

    @Test("suspends the producer that is ahead, and lets it go on when half is used", arguments: [1, 2, 5, 8])
    func halves(limit: Int) {
        for swaps in [false, true] {
            let (numbers, faucet) = (ReadyNumbers(100), Faucet<Never>())
            let (fast, slow) = (SignalProducer(numbers), SignalProducer(faucet))
            let disposable = start(
                swaps
                    ? slow.zip(with: fast, bufferLimit: limit, whenFull: .suspend)
                    : fast.zip(with: slow, bufferLimit: limit, whenFull: .suspend))
            executor.run()
            expect(numbers.asked.value, is: limit)
            for pair in 1...40 {
                faucet.send(0)
                executor.run()
                let round = limit - limit / 2
                expect(numbers.asked.value, is: limit + pair / round * round, "limit \(limit), \(pair) pairs")
            }
            expect(log.count, is: 40)
            end(disposable)
            log.removeAll()
        }
    }

    @Test("suspends the other producer when that is ahead later")
    func alternation() {
        let (first, second) = (Faucet<TestError>(), Faucet<TestError>())
        let disposable = start(
            SignalProducer(first).zip(with: SignalProducer(second), bufferLimit: 2, whenFull: .suspend))
        first.send(1, 2, 3)
        executor.run()
        expect(first.tap.asked.value, is: 2)
        second.send(11, 12, 13, 14, 15, 16)
        executor.run()
        expect(log.all, is: ["(1, 11)", "(2, 12)", "(3, 13)"])
        expect(second.tap.asked.value, is: 5)
        #expect(first.tap.isWaitedFor)
        #expect(!second.tap.isWaitedFor)
        first.send(4)
        first.end()
        executor.run()
        expect(log.all.suffix(2), is: ["(4, 14)", "completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("completes when one producer has completed and its values are used, although the other one is suspended")
    func completion() {
        let (numbers, faucet) = (ReadyNumbers(100), Faucet<Never>())
        _ = start(SignalProducer(numbers).zip(with: SignalProducer(faucet), bufferLimit: 3, whenFull: .suspend))
        faucet.send(7)
        faucet.end()
        executor.run()
        expect(log.all, is: ["(1, 7)", "completed"])
        expect(executor.count, is: 0)
        let asked = numbers.asked.value
        executor.run()
        expect(numbers.asked.value, is: asked)
    }

    @Test("completes with an empty source, and sends an error at once")
    func ends() {
        let (none, some) = (SignalProducer(ReadyNumbers(0)), SignalProducer(ReadyNumbers(9)))
        _ = start(none.zip(with: some, bufferLimit: 1, whenFull: .suspend))
        executor.run()
        expect(log.all, is: ["completed"])
        let (first, second) = (Faucet<TestError>(), Faucet<TestError>())
        _ = start(SignalProducer(first).zip(with: SignalProducer(second), bufferLimit: 1, whenFull: .suspend))
        first.send(1)
        executor.run()
        second.fail(.second)
        executor.run()
        expect(log.all, is: ["completed", "error second"])
        expect(first.tap.asked.value, is: 1)
    }

    @Test("a disposal, and an operator that has enough, cancel both producers", arguments: [false, true])
    func cancellation(isDisposed: Bool) {
        let population = Population()
        let (numbers, faucet) = (ReadyNumbers(100), Faucet<Never>())
        do {
            let member = population.member()
            let disposable = executor.within {
                SignalProducer(numbers).on(event: { _ in member.touch() })
                    .zip(with: SignalProducer(faucet), bufferLimit: 3, whenFull: .suspend).take(first: 1)
                    .start { [log] in log.append($0.text) }
            }
            executor.run()
            if isDisposed { disposable.dispose() } else { faucet.send(1) }
            executor.run()
        }
        expect(log.all, is: isDisposed ? ["interrupted"] : ["(1, 1)", "completed"])
        expect(numbers.asked.value, is: 3)
        expect(population.alive, is: 0)
        expect(executor.count, is: 0)
    }

    @Test("is suspended by a buffer downstream")
    func buffer() {
        let scheduler = TestScheduler()
        let (first, second) = (ReadyNumbers(100), ReadyNumbers(100))
        let disposable = start(
            SignalProducer(first).zip(with: SignalProducer(second), bufferLimit: 2, whenFull: .suspend)
                .buffer(upTo: 4, whenFull: .suspend, on: scheduler))
        executor.run()
        // Either source may have been asked for a value when the buffer had room for the last pair.
        #expect(first.asked.value <= 6 && second.asked.value <= 6, "\(first.asked.value), \(second.asked.value)")
        for _ in 0..<100 {
            scheduler.advance()
            executor.run()
        }
        expect(log.all, is: (1...100).map { "(\($0), \($0))" } + ["completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("loses nothing, repeats nothing and holds no more than its limit, in many random steps")
    func random() {
        var steps = 0
        var seed: UInt64 = 1
        while steps < thorough(100_000) {
            var random = SplitMix64(seed: seed)
            let limit = random.number(in: 1...5)
            let executor = HandDrivenExecutor()
            let faucets = [Faucet<TestError>(), Faucet<TestError>()]
            let pairs = Log<[Int]>()
            let ending = Log<String>()
            var sent = [0, 0]
            let disposable = executor.within {
                SignalProducer(faucets[0]).map { $0 }
                    .zip(with: SignalProducer(faucets[1]), bufferLimit: limit, whenFull: .suspend)
                    .start { event in
                        if let pair = event.value { pairs.append([pair.0, pair.1]) } else { ending.append(event.text) }
                    }
            }
            // One side may be idle for a long time.
            let bias = random.number(in: 1...9)
            func check() {
                for side in 0...1 {
                    let tap = faucets[side].tap
                    let taken = tap.asked.value - (tap.isWaitedFor ? 1 : 0)
                    #expect(taken - pairs.count <= limit, "seed \(seed), limit \(limit), side \(side)")
                }
            }
            for _ in 0..<200 {
                steps += 1
                if random.once(in: 2) {
                    let side = random.number(in: 1...10) <= bias ? 0 : 1
                    sent[side] += 1
                    faucets[side].send(sent[side])
                } else {
                    executor.runOne { random.number(in: 0...$0 - 1) }
                }
                check()
            }
            executor.run()
            check()
            let count = min(sent[0], sent[1])
            expect(pairs.all, is: (1...max(count, 1)).prefix(count).map { [$0, $0] }, "seed \(seed)")
            // Ends in one of several ways.
            switch random.number(in: 1...4) {
            case 1: disposable.dispose()
            case 2: faucets[0].fail(.first)
            default: for faucet in faucets { faucet.end() }
            }
            executor.run()
            if sent[0] != sent[1] || ending.count == 0 { disposable.dispose() }
            executor.run()
            expect(ending.count, is: 1, "seed \(seed)")
            expect(pairs.count, is: count, "seed \(seed)")
            seed += 1
        }
    }

    @Test("traps without a limit, or if one of the producers cannot wait")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let numbers = SignalProducer(ReadyNumbers(1))
            _ = numbers.zip(with: numbers, bufferLimit: 0, whenFull: .suspend)
        }
        zero.expectTrap("zip(bufferLimit: 0): the limit must be positive")
        let source = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer([1]).zip(with: SignalProducer(ReadyNumbers(1)), bufferLimit: 2, whenFull: .suspend)
        }
        source.expectTrap("zip(bufferLimit: 2, whenFull: .suspend): the source cannot be suspended")
        let other = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer(ReadyNumbers(1)).zip(with: SignalProducer([1]), bufferLimit: 2, whenFull: .suspend)
        }
        other.expectTrap("zip(bufferLimit: 2, whenFull: .suspend): the other producer cannot be suspended")
    }

    @Test("is not offered on a signal, or with one", .notUnderSanitizers)
    func signals() throws {
        let messages = try compilerMessages(
            about: """
                func f(_ signal: Signal<Int, Never>) -> Signal<(Int, Int), Never> {
                    signal.zip(with: signal, bufferLimit: 1, whenFull: .suspend)
                }
                """)
        #expect(messages.contains("has no member 'suspend'"), "\(messages)")
        let mixed = try compilerMessages(
            about: """
                func f(_ signal: Signal<Int, Never>, _ source: SignalProducer<Int, Never>) {
                    _ = source.zip(with: signal, bufferLimit: 1, whenFull: .suspend)
                }
                """)
        #expect(mixed.contains("error:"), "\(mixed)")
    }
}
