import IntegrationsTestSupport
import Metrics
import MetricsTestKit
import ReactiveSignals
import ReactiveSignalsMetrics
import Testing

private struct Trouble: Error {}

@Suite("Metrics as a tap", .patient)
struct StreamMetricsTests {
    private let factory = TestMetrics()

    private func tap() -> StreamMetrics { StreamMetrics("orders", factory: factory) }

    private func count(_ label: String, _ dimensions: [(String, String)] = []) throws -> Int64 {
        try factory.expectCounter(label, dimensions).totalValue
    }

    private func level(_ label: String, _ dimensions: [(String, String)] = []) throws -> Double {
        try factory.expectMeter(label, dimensions).lastValue ?? 0
    }

    @Test("counts starts, values and ends, and measures how long they took")
    func counts() throws {
        let producer = SignalProducer<Int, Never>(1...5).tapped(by: tap())
        for _ in 0..<3 { producer.start() }
        #expect(try count("orders.starts") == 3)
        #expect(try count("orders.values") == 15)
        #expect(try count("orders.ends", [("outcome", "completed")]) == 3)
        #expect(try level("orders.in_flight") == 0)
        #expect(try factory.expectTimer("orders.duration", [("outcome", "completed")]).values.count == 3)
    }

    @Test("tells the outcomes apart")
    func outcomes() throws {
        let tap = tap()
        SignalProducer<Int, Trouble>(error: Trouble()).tapped(by: tap).start()
        SignalProducer<Int, Never>.never.tapped(by: tap).start().dispose()
        SignalProducer<Int, Never>(1...9).tapped(by: tap).take(first: 1).start()
        SignalProducer<Int, Never>.empty.tapped(by: tap).start()
        for outcome in ["failed", "interrupted", "released", "completed"] {
            #expect(try count("orders.ends", [("outcome", outcome)]) == 1)
            #expect(try factory.expectTimer("orders.duration", [("outcome", outcome)]).values.count == 1)
        }
        #expect(try level("orders.in_flight") == 0)
    }

    @Test("shows what is in flight while it is, and for how long it was")
    func inFlight() throws {
        let producer = SignalProducer<Int, Never>.never.tapped(by: tap())
        let starts = (0..<4).map { _ in producer.start() }
        #expect(try level("orders.in_flight") == 4)
        starts[0].dispose()
        #expect(try level("orders.in_flight") == 3)
        // check-waits: the test is about real time, and sets no upper limit.
        let pause = ContinuousClock.now + .milliseconds(5)
        while ContinuousClock.now < pause {}
        for start in starts { start.dispose() }
        #expect(try level("orders.in_flight") == 0)
        let durations = try factory.expectTimer("orders.duration", [("outcome", "interrupted")]).values
        #expect(durations.count == 4)
        #expect(durations.dropFirst().allSatisfy { $0 >= 5_000_000 })
    }

    @Test("shows how many executions wait, and for how long they have waited")
    func waiting() throws {
        let (gate, opening) = Signal<Void, Never>.pipe()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: 5)) { number in
            SignalProducer(gate).take(first: 1).map { _ in number }
        }
        action.tapped(by: tap())
        for number in 0..<3 { action.apply(number).start() }
        let kind = [("kind", "execution")]
        #expect(try level("orders.waiting", kind) == 2)
        opening.sendNext(())
        #expect(try level("orders.waiting", kind) == 1)
        // check-waits: the test is about real time, and sets no upper limit.
        let pause = ContinuousClock.now + .milliseconds(5)
        while ContinuousClock.now < pause {}
        opening.sendCompleted()
        #expect(try level("orders.waiting", kind) == 0)
        let lag = try factory.expectTimer("orders.lag", kind).values
        #expect(lag.count == 2)
        #expect(lag[0] > 0)
        #expect(lag[1] >= 5_000_000)
        #expect(try factory.expectTimer("orders.lag", [("kind", "thread")]).values.isEmpty)
    }

    @Test("shows that senders wait for a consumer")
    func senders() async throws {
        let (jobs, input) = Signal<Int, Never>.pipe(capacity: 1)
        let tapped = jobs.tapped(by: tap())
        var iterator = tapped.values(buffering: .suspending(1)).makeAsyncIterator()
        let sender = Task { for number in 0..<4 { await input.send(number) } }
        let factory = factory
        #expect(
            try await eventually {
                try factory.expectMeter("orders.waiting", [("kind", "sender")]).lastValue == 1
            })
        for _ in 0..<4 { _ = await iterator.next() }
        await sender.value
        #expect(try level("orders.waiting", [("kind", "sender")]) == 0)
        let lag = try factory.expectTimer("orders.lag", [("kind", "sender")]).values
        #expect(!lag.isEmpty)
        #expect(lag.allSatisfy { $0 > 0 })
        input.sendCompleted()
    }

    @Test("counts right when many starts run on several threads", arguments: [1, 4])
    func threads(count threads: Int) async throws {
        let producer = SignalProducer<Int, Never>(1...10).tapped(by: tap())
        await withTaskGroup { group in
            for _ in 0..<threads {
                group.addTask { for _ in 0..<500 { producer.start() } }
            }
        }
        #expect(try count("orders.values") == Int64(threads * 5_000))
        #expect(try count("orders.ends", [("outcome", "completed")]) == Int64(threads * 500))
        #expect(try level("orders.in_flight") == 0)
    }

    @Test("adds its dimensions to every metric")
    func dimensions() throws {
        let tap = StreamMetrics("orders", dimensions: [("region", "eu")], factory: factory)
        SignalProducer<Int, Never>(value: 1).tapped(by: tap).start()
        #expect(try count("orders.values", [("region", "eu")]) == 1)
        #expect(try count("orders.ends", [("region", "eu"), ("outcome", "completed")]) == 1)
    }

    @Test("keeps metrics by name for the first names, and adds up the others")
    func names() throws {
        let tap = StreamMetrics("streams", factory: factory, limit: 2) { stream in
            stream.name.contains("a") ? "a" : stream.name
        }
        for name in ["a", "b", "c", "a", "d", "b"] {
            SignalProducer<Int, Never>(value: 1).named(name).tapped(by: tap).start()
        }
        #expect(try count("streams.starts", [("stream", "a")]) == 2)
        #expect(try count("streams.starts", [("stream", "other")]) == 2)
        #expect(factory.counters(label: "streams.starts").count == 3)
        #expect(factory.counterTotal(label: "streams.values") == 6)
    }

    @Test("never has more names than the limit, however many threads bring new ones")
    func limit() async {
        let tap = StreamMetrics("streams", factory: factory, limit: 10) { $0.name }
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<100 {
                        SignalProducer<Int, Never>(value: 1).named("\(thread) \(number)").tapped(by: tap).start()
                    }
                }
            }
        }
        #expect(factory.counterTotal(label: "streams.starts") == 400)
    }

    @Test("a limit of no names is a mistake of the caller")
    func wrongLimit() async {
        await #expect(processExitsWith: .failure) {
            _ = StreamMetrics("streams", factory: NOOPMetricsHandler.instance, limit: 0) { $0.name }
        }
    }

    @Test("measures all starts of the process as its hook, and releases what they stored")
    func hook() throws {
        // Other tests start producers at the same time, and so the hook counts those that have this name.
        let tap = StreamMetrics("process", factory: factory, limit: 1_000) { stream in
            stream.name.contains("hooked") ? "hooked" : "others"
        }
        StreamHooks.tap = tap
        SignalProducer<Int, Never>(1...5).named("hooked").start()
        SignalProducer<Int, Trouble> { observer, _ in
            observer.sendNext(6)
            observer.sendError(Trouble())
        }
        .named("hooked").start()
        StreamHooks.tap = nil
        #expect(try count("process.starts", [("stream", "hooked")]) == 2)
        #expect(try count("process.values", [("stream", "hooked")]) == 6)
        #expect(try count("process.ends", [("stream", "hooked"), ("outcome", "completed")]) == 1)
        #expect(try count("process.ends", [("stream", "hooked"), ("outcome", "failed")]) == 1)
        #expect(try level("process.in_flight", [("stream", "hooked")]) == 0)
    }
}
