import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Producers that the test ends, identified by their elements, and the number that are running.
private final class Workshop: Sendable {
    private struct State {
        var inputs: [Int: Signal<Int, TestError>.Observer] = [:]
        var most = 0
    }

    private let state = Locked(State())
    let begun = Log<Int>()
    let ended = Log<Int>()

    /// The elements whose producers are running.
    var atWork: [Int] { state.withLock { $0.inputs.keys.sorted() } }
    /// The highest number of concurrent producers.
    var most: Int { state.withLock { $0.most } }

    func producer(for element: Int) -> Numbers {
        Numbers { [self] observer, lifetime in
            begun.append(element)
            state.withLock { state in
                state.inputs[element] = observer
                state.most = max(state.most, state.inputs.count)
            }
            lifetime.observeEnded {
                self.ended.append(element)
                let former = self.state.withLock { $0.inputs.removeValue(forKey: element) }
                withExtendedLifetime(former) {}
            }
        }
    }

    func send(_ event: Event<Int, TestError>, from element: Int) {
        state.withLock { $0.inputs[element] }?.send(event)
    }
}

@Suite("SignalProducer(pulling:maxConcurrent:_:)", .watched)
struct PullingTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()
    private let workshop = Workshop()

    private func start(_ faucet: Faucet<TestError>, maxConcurrent: Int) -> any Disposable {
        executor.within {
            Numbers(pulling: faucet, maxConcurrent: maxConcurrent) { [workshop] in workshop.producer(for: $0) }
                .start { [log] in log.append($0.text) }
        }
    }

    @Test("requests an element only when there is room for its producer", arguments: 1...3)
    func demand(maxConcurrent: Int) {
        let faucet = Faucet<TestError>()
        _ = start(faucet, maxConcurrent: maxConcurrent)
        faucet.send(1, 2, 3, 4, 5, 6)
        executor.run()
        for done in 0..<6 {
            expect(faucet.tap.asked.value, is: min(done + maxConcurrent, 7))
            expect(workshop.atWork, is: Array((done + 1)...6).prefix(maxConcurrent).map { $0 })
            workshop.send(.next(10 * (done + 1)), from: done + 1)
            executor.run()
            expect(faucet.tap.asked.value, is: min(done + maxConcurrent, 7), "a value makes no room")
            workshop.send(done % 2 == 0 ? .completed : .interrupted, from: done + 1)
            executor.run()
        }
        faucet.end()
        executor.run()
        expect(workshop.most, is: maxConcurrent)
        expect(workshop.begun.all, is: [1, 2, 3, 4, 5, 6])
        expect(log.all, is: ["10", "20", "30", "40", "50", "60", "completed"])
    }

    @Test("completes when the sequence and all producers have ended", arguments: [false, true])
    func completion(sequenceEndsFirst: Bool) {
        let faucet = Faucet<TestError>()
        _ = start(faucet, maxConcurrent: 3)
        faucet.send(1, 2)
        executor.run()
        if sequenceEndsFirst { faucet.end() }
        executor.run()
        workshop.send(.completed, from: 2)
        executor.run()
        expect(log.all, is: [])
        workshop.send(.completed, from: 1)
        executor.run()
        if !sequenceEndsFirst {
            expect(log.all, is: [])
            faucet.end()
            executor.run()
        }
        expect(log.all, is: ["completed"])
    }

    @Test("disposes of the other producers and cancels the task when a producer fails", arguments: [false, true])
    func innerError(isFull: Bool) {
        let faucet = Faucet<TestError>()
        let disposable = start(faucet, maxConcurrent: isFull ? 2 : 3)
        faucet.send(1, 2)
        executor.run()
        workshop.send(.error(.second), from: 1)
        expect(log.all, is: ["error second"])
        expect(Set(workshop.ended.all), is: [1, 2])
        executor.run()
        #expect(faucet.tap.asked.value == (isFull ? 2 : 3))
        #expect(!faucet.tap.isWaitedFor)
        faucet.send(3)
        executor.run()
        expect(log.all, is: ["error second"])
        expect(workshop.begun.all, is: [1, 2])
        #expect(disposable.isDisposed)
    }

    @Test("sends the error of a producer, although the last other one completes while it waits for the observer")
    func errorBesideCompletion() {
        let faucet = Faucet<TestError>()
        let failing = Locked<TestThread?>(nil)
        _ = executor.within {
            Numbers(pulling: faucet, maxConcurrent: 2) { [workshop] in workshop.producer(for: $0) }
                .start { [log, workshop] event in
                    log.append(event.text)
                    guard event.value == 10 else { return }
                    let thread = TestThread("fails") { workshop.send(.error(.first), from: 2) }
                    thread.waitUntilAsleep()
                    failing.withLock { $0 = thread }
                    // Follows this event, on this thread.
                    workshop.send(.completed, from: 1)
                }
        }
        faucet.send(1, 2)
        faucet.end()
        executor.run()
        workshop.send(.next(10), from: 1)
        failing.withLock { $0.take() }?.join()
        expect(log.all, is: ["10", "error first"])
        expect(workshop.atWork, is: [])
        // Ends the task.
        executor.run()
    }

    @Test("takes no element while the consumer has no room, also if a producer has ended meanwhile")
    func roomAfterCapacity() {
        let faucet = Faucet<TestError>()
        let scheduler = TestScheduler()
        _ = executor.within {
            Numbers(pulling: faucet, maxConcurrent: 1) { [workshop] in workshop.producer(for: $0) }
                .buffer(upTo: 1, whenFull: .suspend, on: scheduler)
                .start { [log] in log.append($0.text) }
        }
        faucet.send(1, 2, 3)
        executor.run()
        expect(faucet.tap.asked.value, is: 1)
        // The task waits for the end of the producer, which fills the buffer first.
        workshop.send(.next(10), from: 1)
        workshop.send(.completed, from: 1)
        executor.run()
        expect(faucet.tap.asked.value, is: 1)
        expect(workshop.begun.all, is: [1])
        scheduler.advance()
        executor.run()
        expect(workshop.begun.all, is: [1, 2])
        workshop.send(.completed, from: 2)
        executor.run()
        workshop.send(.completed, from: 3)
        faucet.end()
        executor.run()
        scheduler.advance()
        expect(log.all, is: ["10", "completed"])
    }

    @Test("disposes of the producers immediately when the sequence fails")
    func outerError() {
        let faucet = Faucet<TestError>()
        _ = start(faucet, maxConcurrent: 3)
        faucet.send(1, 2)
        faucet.fail(.first)
        executor.run()
        expect(log.all, is: ["error first"])
        expect(Set(workshop.ended.all), is: [1, 2])
    }

    @Test("is interrupted when the sequence throws a CancellationError")
    func cancellationError() {
        let faucet = Faucet<any Error>()
        executor.within {
            SignalProducer<Int, any Error>(pulling: faucet, maxConcurrent: 1) { SignalProducer(value: $0) }
                .start { [log] in log.append($0.text) }
        }
        faucet.send(1)
        faucet.fail(CancellationError())
        executor.run()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("is interrupted when other code cancels the task and the sequence ends because of it")
    func cancelledTask() {
        executor.within {
            _ = SignalProducer(pulling: Quitter(), maxConcurrent: 1) { SignalProducer(value: $0) }
                .start { [log] in log.append($0.text) }
        }
        executor.run()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("fails with a producer that fails immediately")
    func bareError() {
        executor.within {
            Numbers(pulling: ReadyNumbers(9), maxConcurrent: 2) { _ in Numbers(error: .second) }
                .start { [log] in log.append($0.text) }
        }
        executor.run()
        expect(log.all, is: ["error second"])
    }

    @Test("completes when disposing of one producer ends the other")
    func endsInside() {
        let faucet = Faucet<TestError>()
        let workshop = workshop
        executor.within {
            _ = Numbers(pulling: faucet, maxConcurrent: 3) { element in
                workshop.producer(for: element)
                    .on(disposed: { if element == 1 { workshop.send(.completed, from: 2) } })
            }.start { [log] in log.append($0.text) }
        }
        faucet.send(1, 2)
        faucet.end()
        executor.run()
        workshop.send(.completed, from: 1)
        expect(log.all, is: ["completed"])
    }

    @Test("transforms no element after disposal, and does not start a producer whose transformation disposed of it")
    func forgone() {
        let faucet = Faucet<TestError>(isHeedless: true)
        let (transformed, own) = (Log<Int>(), SerialDisposable())
        let workshop = workshop
        own.inner = executor.within {
            Numbers(pulling: faucet, maxConcurrent: 3) { element in
                transformed.append(element)
                if element == 2 { own.dispose() }
                return workshop.producer(for: element)
            }.start { [log] in log.append($0.text) }
        }
        faucet.send(1, 2, 3)
        executor.run()
        expect(transformed.all, is: [1, 2])
        expect(workshop.begun.all, is: [1])

        let other = Faucet<TestError>(isHeedless: true)
        let disposable = executor.within {
            Numbers(pulling: other, maxConcurrent: 3) { element in
                transformed.append(element)
                return Numbers(value: element)
            }.start { _ in }
        }
        executor.run()
        disposable.dispose()
        other.send(4)
        executor.run()
        expect(transformed.all, is: [1, 2])
    }

    @Test("never makes a sender wait for a delivery if one of its producers enqueues under contention")
    func contention() {
        let (isInside, goOn) = (Latch("the delivery"), Latch("the other sender"))
        let (log, inputs) = (Log<Int>(), Log<Signal<Int, TestError>.Observer>())
        executor.within {
            _ = Numbers(pulling: ReadyNumbers(2), maxConcurrent: 3) { element in
                Numbers(contention: element == 1 ? .wait : .enqueue) { observer, _ in inputs.append(observer) }
            }.startWithResult { result in
                guard let value = try? result.get() else { return }
                log.append(value)
                guard value == 1 else { return }
                isInside.open()
                goOn.wait()
            }
        }
        executor.run()
        let (first, second) = (inputs.all[0], inputs.all[1])
        let holder = TestThread("in delivery") { first.sendNext(1) }
        isInside.wait()
        TestThread("must not wait") { second.sendNext(2) }.join()
        expect(log.all, is: [1])
        goOn.open()
        holder.join()
        expect(log.all, is: [1, 2])
        for input in inputs.all { input.sendCompleted() }
    }

    @Test("is interrupted immediately on disposal, and disposes of all running producers", arguments: [false, true])
    func disposal(isHeedless: Bool) {
        for maxConcurrent in [2, 3] {
            let (log, faucet) = (Log<String>(), Faucet<TestError>(isHeedless: isHeedless))
            let workshop = Workshop()
            let disposable = executor.within {
                Numbers(pulling: faucet, maxConcurrent: maxConcurrent) { workshop.producer(for: $0) }
                    .start { log.append($0.text) }
            }
            faucet.send(1, 2)
            executor.run()
            disposable.dispose()
            expect(log.all, is: ["interrupted"])
            expect(Set(workshop.ended.all), is: [1, 2])
            faucet.send(3, 4)
            executor.run()
            expect(workshop.begun.all, is: [1, 2])
            expect(log.all, is: ["interrupted"])
            #expect(!faucet.tap.isWaitedFor)
        }
    }

    @Test("does not iterate the sequence when it is disposed of before the task runs")
    func notBegun() {
        let faucet = Faucet<TestError>()
        start(faucet, maxConcurrent: 1).dispose()
        executor.run()
        expect(log.all, is: ["interrupted"])
        expect(faucet.tap.iterations.value, is: 0)
    }

    @Test("requests no more elements once downstream has ended")
    func downstream() {
        let numbers = ReadyNumbers(9)
        executor.within {
            SignalProducer(pulling: numbers, maxConcurrent: 1) { SignalProducer(value: $0) }
                .take(first: 2).start { [log] in log.append($0.text) }
        }
        executor.run()
        expect(log.all, is: ["1", "2", "completed"])
        expect(numbers.asked.value, is: 2)
    }

    @Test("runs very many producers that end immediately, on a small stack", .notUnderSanitizers)
    func synchronous() {
        onSmallStack("pulling") { [executor] in
            let (sum, end) = (Counter(), Counter())
            executor.within {
                SignalProducer(pulling: ReadyNumbers(manyLevels), maxConcurrent: 2) { number in
                    number % 2 == 0
                        ? SignalProducer(value: number)
                        : SignalProducer { observer, _ in
                            observer.sendNext(number)
                            observer.sendCompleted()
                        }
                }.start { event in if event.isCompleted { end.increment() } else { sum.increment() } }
            }
            executor.run()
            expect(sum.value, is: manyLevels)
            expect(end.value, is: 1)
        }
    }

    @Test("accepts signals, and every combination of failing and non-failing streams")
    func forms() {
        let safe = AsyncStream<Int> { continuation in
            continuation.yield(1)
            continuation.finish()
        }
        let faucet = Faucet<TestError>()
        faucet.send(2)
        faucet.end()
        let both: Numbers = SignalProducer(pulling: faucet, maxConcurrent: 1) { Numbers(value: $0) }
        let inner: Numbers = SignalProducer(pulling: safe, maxConcurrent: 1) { Numbers(value: $0) }
        let other = Faucet<TestError>()
        other.send(3)
        other.fail(.first)
        let outer: Numbers = SignalProducer(pulling: other, maxConcurrent: 1) {
            SignalProducer<Int, Never>(value: $0)
        }
        let none: SignalProducer<Int, Never> = SignalProducer(pulling: ReadyNumbers(2), maxConcurrent: 1) {
            SignalProducer(value: $0)
        }
        let signals: SignalProducer<Int, Never> = SignalProducer(pulling: ReadyNumbers(1), maxConcurrent: 1) { _ in
            Signal<Int, Never>.empty
        }
        executor.within {
            for producer in [both, inner, outer, none.promoteError(), signals.promoteError()] {
                producer.start { [log] in log.append($0.text) }
                executor.run()
            }
        }
        expect(
            log.all, is: ["2", "completed", "1", "completed", "3", "error first", "1", "2", "completed", "completed"])
    }

    @Test("traps unless the limit is positive")
    func noRoom() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer(pulling: ReadyNumbers(1), maxConcurrent: 0) { SignalProducer(value: $0) }
        }
        result.expectTrap("SignalProducer(pulling:maxConcurrent: 0)")
    }

    @Test("holds nothing after the end, or after disposal while a sequence ignores the cancellation")
    func release() {
        for isDisposed in [false, true] {
            let (observers, transforms) = (Population(), Population())
            let faucet = Faucet<TestError>(isHeedless: true)
            let workshop = Workshop()
            let disposable = {
                let (observer, transform) = (observers.member(), transforms.member())
                return executor.within {
                    Numbers(pulling: faucet, maxConcurrent: 2) { number in
                        transform.touch()
                        return workshop.producer(for: number)
                    }.start { _ in observer.touch() }
                }
            }()
            faucet.send(1)
            executor.run()
            if isDisposed {
                disposable.dispose()
                expect(observers.alive, is: 0)
                #expect(faucet.tap.isWaitedFor)
            }
            faucet.end()
            executor.run()
            workshop.send(.completed, from: 1)
            executor.run()
            expect(observers.alive, is: 0)
            expect(transforms.alive, is: 0)
        }
    }

    @Test("keeps to its limit and ends exactly once when elements, results and disposal race")
    func race() {
        for round in 0..<raceRounds {
            let (executor, record, workshop) = (HandDrivenExecutor(), StrictLog<Int, TestError>(), Workshop())
            let faucet = Faucet<TestError>(isHeedless: round % 2 == 0)
            let disposable = executor.within {
                Numbers(pulling: faucet, maxConcurrent: 2) { workshop.producer(for: $0) }.start { record.record($0) }
            }
            faucet.send(1, 2, 3, 4)
            faucet.end()
            executor.run()
            onThreads(3, "producers, the task and a disposal") { index in
                switch index {
                case 0:
                    for element in [1, 3] {
                        workshop.send(.next(element), from: element)
                        workshop.send(round % 5 == 0 ? .error(.first) : .completed, from: element)
                        executor.run()
                    }
                case 1:
                    for element in [2, 4] {
                        workshop.send(.next(element), from: element)
                        workshop.send(.completed, from: element)
                    }
                    executor.run()
                default: if round % 3 != 0 { disposable.dispose() }
                }
            }
            for element in 1...4 {
                executor.run()
                workshop.send(.completed, from: element)
            }
            executor.run()
            expect(record.mistakes, is: [])
            #expect(record.terminal != nil)
            expect(Set(record.values).count, is: record.values.count)
            #expect(workshop.most <= 2)
            expect(workshop.atWork, is: [])
            expect(workshop.begun.all, is: Array([1, 2, 3, 4].prefix(workshop.begun.count)))
            if round % 3 == 0, round % 5 != 0 {
                expect(record.terminal, is: "completed")
                expect(workshop.begun.all, is: [1, 2, 3, 4])
            }
        }
    }

    @Test("matches the model over random interleavings", arguments: 0..<thorough(500))
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let maxConcurrent = random.number(in: 1...3)
        let faucet = Faucet<TestError>(isHeedless: random.once(in: 2))
        let disposable = start(faucet, maxConcurrent: maxConcurrent)
        var model = (offered: 0, sent: [String](), isClosed: false, isOver: false)
        for _ in 0..<random.number(in: 5...60) {
            let atWork = workshop.atWork
            switch random.number(in: 0...11) {
            case 0...2 where !model.isClosed:
                faucet.send(model.offered)
                model.offered += 1
            case 3...6: executor.runOne { random.number(in: 0...$0 - 1) }
            case 7...8 where !atWork.isEmpty:
                let (element, value) = (random.pick(atWork), random.number(in: 0...99))
                workshop.send(.next(value), from: element)
                if !model.isOver { model.sent.append("\(value)") }
            case 9 where !atWork.isEmpty:
                let event: Event<Int, TestError> = random.once(in: 6) ? .error(.first) : .completed
                workshop.send(event, from: random.pick(atWork))
                if case .error = event {
                    model.sent.append("error first")
                    model.isOver = true
                }
            case 10 where random.once(in: 4) && !model.isClosed:
                faucet.end()
                model.isClosed = true
            case 11 where random.once(in: 6):
                if !disposable.isDisposed { model.sent.append("interrupted") }
                disposable.dispose()
                model.isOver = true
            default: break
            }
            if log.all.last == "completed", !model.isOver {
                // Nothing is left to be sent.
                #expect(model.isClosed && workshop.atWork == [])
                model.sent.append("completed")
                model.isOver = true
            }
            expect(log.all, is: model.sent)
            #expect(workshop.atWork.count <= maxConcurrent)
            #expect(faucet.tap.asked.value <= workshop.ended.count + maxConcurrent)
            if model.isOver { expect(workshop.atWork, is: []) }
        }
        if !model.isClosed { faucet.end() }
        while !model.isOver {
            executor.run()
            guard let element = workshop.atWork.first else { break }
            workshop.send(.completed, from: element)
        }
        executor.run()
        expect(log.all, is: model.sent + (model.isOver ? [] : ["completed"]))
        expect(workshop.begun.all, is: Array(0..<workshop.begun.count))
        if !model.isOver { expect(workshop.begun.count, is: model.offered) }
    }
}
