import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Numbers = Signal<Int, TestError>

/// An operator behind which a consumer can suspend the senders.
private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let apply: @Sendable (Numbers, TestScheduler) -> Signal<[Int], TestError>

    init(_ name: String, arrays: @escaping @Sendable (Numbers, TestScheduler) -> Signal<[Int], TestError>) {
        testDescription = name
        apply = arrays
    }

    init(_ name: String, _ values: @escaping @Sendable (Numbers, TestScheduler) -> Numbers) {
        self.init(name, arrays: { source, scheduler in values(source, scheduler).map { [$0] } })
    }

    static let all: [Case] = [
        Case("collect(every:upTo:)", arrays: { $0.collect(every: .seconds(1), upTo: 3, on: $1) }),
        Case("delay") { $0.delay(.seconds(1), on: $1) },
        Case("delay(by:)") { $0.delay(on: $1) { _ in .seconds(1) } },
        Case("timeout(between:)") { $0.timeout(between: .seconds(9_999), raising: .first, on: $1) },
        Case("heartbeat") { $0.heartbeat(every: .seconds(100), on: $1) { 0 } },
        Case("observe(on:)") { $0.observe(on: $1) },
    ]
}

@Suite("Operators between a signal of pipe(capacity:) and a consumer that suspends the senders", .watched)
struct PassedSuspensionTests {
    private let pipe = BoundedPipe<Int>(capacity: 1)
    private let scheduler = TestScheduler()

    private func pass(seconds: Int = 2) {
        for _ in 0..<2 * seconds {
            pipe.executor.run()
            scheduler.advance(by: .milliseconds(500))
            pipe.executor.run()
        }
    }

    @Test("suspend the senders while the consumer has no room, and lose nothing", arguments: Case.all)
    private func passesOn(_ operation: Case) {
        let consumer = BoundedConsumer(
            operation.apply(pipe.signal, scheduler).values(buffering: .suspending(2)), pipe.executor)
        var sent = 0
        for _ in 0..<20 {
            if pipe.input.trySend(sent + 1) { sent += 1 }
            pass()
        }
        // Two for the consumer, and the capacity.
        #expect(sent <= 3, "\(sent) have been sent")
        var (rounds, received) = (0, 0)
        while received < 20, rounds < 500 {
            rounds += 1
            if !consumer.isWaiting { consumer.take() }
            received = consumer.values.reduce(0) { $0 + $1.count }
            if sent < 20, pipe.input.trySend(sent + 1) { sent += 1 }
            pass()
            #expect(sent - received <= 4)
        }
        expect(Array(consumer.values.joined()), is: Array(1...20))
        consumer.release()
        pipe.executor.run()
        #expect(pipe.input.trySend(0))
    }

    @Test("observe(on:), delay and collect(every:upTo:) suspend the senders themselves, until they end")
    func queues() {
        let operations: [(Int, (Numbers) -> any Disposable)] = [
            (256, { [scheduler] in $0.observe(on: scheduler).observe { _ in } ?? SimpleDisposable() }),
            (256, { [scheduler] in $0.delay(.seconds(1), on: scheduler).observe { _ in } ?? SimpleDisposable() }),
            (
                4,
                { [scheduler] in
                    $0.collect(every: .seconds(1), upTo: 4, on: scheduler).observe { _ in } ?? SimpleDisposable()
                }
            ),
        ]
        for (limit, operation) in operations {
            let pipe = BoundedPipe<Int>(capacity: 2)
            let disposable = operation(pipe.signal)
            expect(pipe.fill(with: 0), is: limit + 2)
            let sending = pipe.send(1)
            #expect(sending.result == nil)
            scheduler.advance(by: .seconds(1))
            pipe.executor.run()
            #expect(sending.result == true)
            expect(pipe.fill(with: 0), is: limit + 1)
            let last = pipe.send(1)
            #expect(last.result == nil)
            disposable.dispose()
            scheduler.advance(by: .seconds(1))
            pipe.executor.run()
            #expect(last.result == true, "an operator that has ended holds up no sender")
        }
    }

    @Test("trap behind several inputs")
    func traps() async throws {
        let merge = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (one, _) = Numbers.pipe(capacity: 1)
            let (other, _) = Numbers.pipe(capacity: 1)
            _ = one.merge(with: other).values(buffering: .suspending(1))
        }
        merge.expectTrap("values(buffering: .suspending(1)): nothing that sends to this stream can be suspended")
    }
}
