import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("values(buffering:) of producers", .watched)
struct ValuesBufferingTests {
    @Test("starts the work once per iterator, when the iterator is created")
    func starts() async throws {
        let manual = Manual()
        let sequence = manual.producer.values(buffering: .unbounded)
        expect(manual.starts.value, is: 0)
        var first = sequence.makeAsyncIterator()
        expect(manual.starts.value, is: 1)
        let firstInput = manual.input
        var second = sequence.makeAsyncIterator()
        expect(manual.starts.value, is: 2)
        firstInput?.sendNext(1)
        manual.input?.sendNext(2)
        #expect(try await first.next() == 1)
        #expect(try await second.next() == 2)
        firstInput?.sendCompleted()
        #expect(try await first.next() == nil)
    }

    @Test("returns the values that synchronous work has sent, as far as the buffer holds them")
    func synchronous() async {
        let producer = SignalProducer<Int, Never>(0..<10)
        var all: [Int] = []
        for await value in producer.values(buffering: .unbounded) { all.append(value) }
        expect(all, is: Array(0..<10))

        let newest = producer.values(buffering: .newest(3))
        var last: [Int] = []
        for await value in newest { last.append(value) }
        expect(last, is: [7, 8, 9])
        expect(newest.droppedCount, is: 7)
    }

    @Test("throws its typed error after the values")
    func failure() async throws {
        let producer = Numbers([1, 2]).concat(error: .second)
        var received: [Int] = []
        do throws(TestError) {
            for try await value in producer.values(buffering: .unbounded) { received.append(value) }
            Issue.record("no error")
        } catch {
            expect(error, is: .second)
        }
        expect(received, is: [1, 2])
    }

    @Test("interrupts the work, and disposes of it, when the task is cancelled")
    func cancellation() {
        let manual = Manual()
        let executor = HandDrivenExecutor()
        let terminals = Log<String>()
        let log = Log<Int?>()
        let task = Task(executorPreference: executor) {
            let producer = manual.producer.on(interrupted: { terminals.append("interrupted") })
            var values = producer.values(buffering: .unbounded).makeAsyncIterator()
            log.append(try await values.next())
            log.append(try await values.next())
        }
        executor.run()
        manual.input?.sendNext(1)
        executor.run()
        task.cancel()
        expect(terminals.all, is: ["interrupted"])
        expect(manual.disposals.value, is: 1)
        manual.input?.sendNext(2)
        executor.run()
        expect(log.all, is: [1, nil])
    }

    @Test("releases the values that the work sends while the cancelled task is being resumed")
    func arrivalsMeanwhile() {
        struct Epitaph: Error { let member: Population.Member }
        let population = Population()
        let inputs = Log<Signal<Population.Member, Epitaph>.Observer>()
        let producer = SignalProducer<Population.Member, Epitaph> { observer, _ in inputs.append(observer) }
        let isClosing = DoneFlag()
        let executor = HandDrivenExecutor {
            guard isClosing.isRaised else { return }
            for input in inputs.all {
                input.sendNext(population.member())
                input.sendError(Epitaph(member: population.member()))
            }
        }
        let log = Log<Bool>()
        let task = Task(executorPreference: executor) {
            var values = producer.values(buffering: .unbounded).makeAsyncIterator()
            log.append(try await values.next() == nil)
        }
        executor.run()
        isClosing.raise()
        task.cancel()
        expect(population.alive, is: 0)
        executor.run()
        expect(log.all, is: [true])
    }

    @Test("starts nothing in a cancelled task")
    func cancelledBefore() {
        let manual = Manual()
        let executor = HandDrivenExecutor()
        let log = Log<Int?>()
        let task = Task(executorPreference: executor) {
            for try await value in manual.producer.values(buffering: .unbounded) { log.append(value) }
            log.append(nil)
        }
        task.cancel()
        executor.run()
        expect(manual.starts.value, is: 0)
        expect(log.all, is: [nil])
    }

    @Test("interrupts the work when the loop is left")
    func leaving() {
        let manual = Manual()
        let executor = HandDrivenExecutor()
        let log = Log<Int>()
        Task(executorPreference: executor) {
            for try await value in manual.producer.values(buffering: .unbounded) {
                log.append(value)
                break
            }
            log.append(-1)
        }
        executor.run()
        manual.input?.sendNext(1)
        executor.run()
        expect(log.all, is: [1, -1])
        expect(manual.disposals.value, is: 1)
    }

    @Test("ends when the work's input is released, which interrupts it")
    func interruption() async throws {
        let manual = Manual()
        var values = manual.producer.values(buffering: .unbounded).makeAsyncIterator()
        manual.input?.sendNext(1)
        manual.release()
        #expect(try await values.next() == 1)
        #expect(try await values.next() == nil)
        expect(manual.disposals.value, is: 1)
    }

    @Test("disposes of the work once when cancellation races with values and the end", arguments: [true, false])
    func race(completes: Bool) {
        let population = Population()
        for _ in 0..<1_250 {
            let manual = Manual()
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let task = Task(executorPreference: executor) { [member = population.member()] in
                let producer = manual.producer.map { value in
                    member.touch()
                    return value
                }
                for try await _ in producer.values(buffering: .newest(1)) {}
                isDone.raise()
            }
            executor.run()
            onThreads(3, "race of values") { index in
                switch index {
                case 0: executor.run(until: isDone)
                case 1: task.cancel()
                default:
                    for number in 0..<3 { manual.input?.sendNext(number) }
                    if completes { manual.input?.sendCompleted() }
                }
            }
            expect(manual.starts.value, is: 1)
            expect(manual.disposals.value, is: 1)
            manual.release()
        }
        expect(population.alive, is: 0)
    }

    @Test("matches the model over random interleavings", arguments: 0..<5)
    func model(part: UInt64) {
        for seed in 0..<thorough(500) {
            checkRandomRound(seed: part * 500 + UInt64(seed)) { sent, _ in
                let input = Locked<Signal<Parcel, TestError>.Observer?>(nil)
                let producer = SignalProducer<Parcel, TestError> { observer, _ in input.withLock { $0 = observer } }
                    .on(next: { sent.append($0.number) })
                return Bridge(
                    endings: [.completed, .failed, .interrupted, .abandoned],
                    send: { parcel in input.withLock { $0 }?.sendNext(parcel) },
                    end: { ending in
                        let observer = input.withLock { input in
                            defer { if ending == .abandoned { input = nil } }
                            return input
                        }
                        switch ending {
                        case .completed: observer?.sendCompleted()
                        case .failed: observer?.sendError(.first)
                        case .interrupted: observer?.sendInterrupted()
                        case .abandoned: break
                        }
                    }, values: { producer.values(buffering: $0) }, events: { producer.events(buffering: $0) })
            }
        }
    }

    @Test("traps unless the buffer has room for a value")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.empty.values(buffering: .newest(0))
        }
        result.expectTrap("values(buffering: .newest(0))")
    }
}
