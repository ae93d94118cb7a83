import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("values(buffering:lag:) of signals", .watched)
struct ValuesLagTests {
    private typealias Iterator = AsyncReportingValues<Int, TestError>.Iterator

    @Test("reports what was dropped before the newest values, as one gap")
    func newest() async throws {
        let (signal, input) = Source.pipe()
        var values = signal.values(buffering: .newest(2), lag: .report).makeAsyncIterator()
        for value in 1...5 { input.sendNext(value) }
        var elements: [ValueOrLag<Int>?] = []
        for _ in 0..<2 { elements.append(try await values.next()) }
        for value in 6...8 { input.sendNext(value) }
        input.sendCompleted()
        for _ in 0..<5 { elements.append(try await values.next()) }
        expect(elements, is: [.lagged(3), .value(4), .lagged(2), .value(7), .value(8), nil, nil])
    }

    @Test("reports what was dropped after the oldest values, in its place")
    func oldest() async throws {
        let (signal, input) = Source.pipe()
        var values = signal.values(buffering: .oldest(2), lag: .report).makeAsyncIterator()
        for value in 1...4 { input.sendNext(value) }
        var elements = [try await values.next()]
        for value in 5...7 { input.sendNext(value) }
        input.sendCompleted()
        for _ in 0..<6 { elements.append(try await values.next()) }
        expect(elements, is: [.value(1), .value(2), .lagged(2), .value(5), .lagged(2), nil, nil])
    }

    @Test(
        "reports nothing to a consumer that keeps up, or that keeps all",
        arguments: [BufferingPolicy.newest(1), .unbounded])
    func noLag(policy: BufferingPolicy) async throws {
        let (signal, input) = Source.pipe()
        var values = signal.values(buffering: policy, lag: .report).makeAsyncIterator()
        for value in 1...9 {
            input.sendNext(value)
            #expect(try await values.next() == .value(value))
        }
        input.sendInterrupted()
        #expect(try await values.next() == nil)
    }

    @Test("reports the last gap before the error")
    func failure() async throws {
        let (signal, input) = Source.pipe()
        var values = signal.values(buffering: .oldest(1), lag: .report).makeAsyncIterator()
        for value in 1...3 { input.sendNext(value) }
        input.sendError(.second)
        #expect(try await values.next() == .value(1))
        #expect(try await values.next() == .lagged(2))
        do throws(TestError) {
            _ = try await values.next()
            Issue.record("no error")
        } catch {
            expect(error, is: .second)
        }
        #expect(try await values.next() == nil)
    }

    @Test("counts for each iterator separately")
    func iterators() async throws {
        let (signal, input) = Source.pipe()
        let sequence = signal.values(buffering: .newest(1), lag: .report)
        var first = sequence.makeAsyncIterator()
        input.sendNext(1)
        input.sendNext(2)
        var second = sequence.makeAsyncIterator()
        input.sendNext(3)
        input.sendCompleted()
        #expect(try await first.next() == .lagged(2))
        #expect(try await first.next() == .value(3))
        #expect(try await first.next() == nil)
        #expect(try await second.next() == .value(3))
        #expect(try await second.next() == nil)
    }

    @Test("ends without a report when the task is cancelled, and discards what follows a gap")
    func cancellation() {
        let population = Population()
        let (signal, input) = Signal<Population.Member, TestError>.pipe()
        let executor = HandDrivenExecutor()
        let log = Log<String>()
        Task(executorPreference: executor) {
            for try await element in signal.values(buffering: .newest(1), lag: .report) {
                guard case .lagged(let count) = element else { continue }
                log.append("\(count)")
                withUnsafeCurrentTask { $0?.cancel() }
            }
            log.append("over, alive \(population.alive)")
        }
        executor.run()
        for _ in 0..<3 { input.sendNext(population.member()) }
        executor.run()
        expect(log.all, is: ["2", "over, alive 0"])
        #expect(!signal.core.isObserved)
    }

    @Test("works with senders that can be suspended, which then miss nothing")
    func suspending() async throws {
        let (signal, input) = Source.pipe(capacity: 1)
        var values = signal.values(buffering: .suspending(1), lag: .report).makeAsyncIterator()
        expect([1, 2, 3].map(input.trySend), is: [true, true, false])
        input.sendCompleted()
        #expect(try await values.next() == .value(1))
        #expect(try await values.next() == .value(2))
        #expect(try await values.next() == nil)
    }

    @Test("reports exactly what is missing, in many random steps")
    func random() async throws {
        var steps = 0
        var seed: UInt64 = 1
        while steps < thorough(100_000) {
            var random = SplitMix64(seed: seed)
            let room = random.number(in: 1...4)
            let policy = random.pick([BufferingPolicy.newest(room), .oldest(room)])
            let (signal, input) = Source.pipe()
            var values = signal.values(buffering: policy, lag: .report).makeAsyncIterator()
            // The next value to account for: received, or reported as missing.
            var (sent, accounted) = (0, 0)
            // Values in the buffer, and one that has left it together with the gap before it.
            var (buffered, pending) = (0, 0)
            func account(_ element: ValueOrLag<Int>?) {
                switch element {
                case .value(let value):
                    expect(value, is: accounted, "seed \(seed), \(policy)")
                    accounted += 1
                    if pending == 0 { buffered -= 1 }
                    pending = 0
                case .lagged(let count):
                    accounted += count
                    // The last gap has no value after it.
                    if buffered > 0 { (buffered, pending) = (buffered - 1, 1) }
                case nil: expect(accounted, is: sent, "seed \(seed), \(policy)")
                }
            }
            for _ in 0..<500 {
                if random.once(in: 2) {
                    input.sendNext(sent)
                    sent += 1
                    buffered = min(buffered + 1, room)
                } else if buffered + pending > 0 {
                    account(try await values.next())
                }
            }
            steps += 500
            input.sendCompleted()
            while let element = try await values.next() { account(element) }
            account(nil)
            expect(buffered + pending, is: 0, "seed \(seed), \(policy)")
            seed += 1
        }
    }

    @Test("traps where there is no room for a value")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.never.values(buffering: .newest(0), lag: .report)
        }
        zero.expectTrap("values(buffering: .newest(0))")
    }
}
