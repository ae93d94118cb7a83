import Foundation
import IntegrationsTestSupport
import Metrics
import MetricsTestKit
import ReactiveDiagnostics
import ReactiveSignals
import ReactiveSignalsMetrics
import ReactiveSignalsTesting
import Testing

/// The other tests of this process are in the snapshots, too. So the names are those of these tests.
@Suite("Metrics of buffers", .patient, .serialized)
struct BufferMetricsTests {
    private let factory = TestMetrics()

    init() { StreamGraph.start() }

    private func depth(_ stream: String) -> Double? {
        let meters = factory.meters.filter { meter in
            meter.label == "streams.buffer_depth"
                && meter.dimensions.contains { $0.0 == "stream" && $0.1 == stream }
        }
        return meters.isEmpty ? nil : meters.compactMap(\.lastValue).reduce(0, +)
    }

    @Test("shows how many values wait for a scheduler, by the name of the signal")
    func queues() {
        let metrics = BufferMetrics("streams", factory: factory, limit: 1_000)
        let (signal, input) = Signal<Int, Never>.pipe()
        let scheduler = TestScheduler()
        signal.named("orders of BufferMetricsTests").map { $0 * 2 }.observe(on: scheduler).observeNext { _ in }
        for number in 0..<5 { input.sendNext(number) }
        metrics.record()
        #expect(depth("orders of BufferMetricsTests") == 5)
        scheduler.advance()
        metrics.record()
        #expect(depth("orders of BufferMetricsTests") == 0)
        input.sendCompleted()
    }

    @Test("shows how many values wait for a task, by the line of the async sequence")
    func depths() async throws {
        let metrics = BufferMetrics("streams", factory: factory, limit: 1_000)
        let (signal, input) = Signal<Int, Never>.pipe()
        let place = "\(#fileID):\(#line + 2)"
        do {
            var values = signal.values(buffering: .oldest(4)).makeAsyncIterator()
            for number in 0..<6 { input.sendNext(number) }
            metrics.record()
            #expect(depth(place) == 4)
            #expect(await values.next() == 0)
        }
        metrics.record()
        #expect(depth(place) == 0)
        input.sendCompleted()
    }

    /// A snapshot of buffers with these depths and names, each of a signal with a name, and of waits.
    private func snapshot(
        _ buffers: [(depth: Int, name: String, signal: String)], waits: [(kind: String, milliseconds: Int)] = []
    ) throws -> StreamGraph.Snapshot {
        let nodes = buffers.enumerated().flatMap { index, buffer in
            [
                """
                {"id":\(2 * index),"kind":"signal","name":"\(buffer.signal)","age":[0,0],"parents":[]}
                """,
                """
                {"id":\(2 * index + 1),"kind":"buffer","name":"\(buffer.name)","age":[0,0],"parents":[\(2 * index)],
                "buffer":{"depth":\(buffer.depth)}}
                """,
            ]
        }
        let waits = waits.map { #"{"kind":"\#($0)","thread":1,"duration":[0,\#($1)000000000000000]}"# }
        let json = """
            {"nodes":[\(nodes.joined(separator: ","))],"waits":[\(waits.joined(separator: ","))],"warnings":[]}
            """
        return try JSONDecoder().decode(StreamGraph.Snapshot.self, from: Data(json.utf8))
    }

    @Test("shows the longest wait of each kind, as long as it lasts")
    func waits() throws {
        let metrics = BufferMetrics("streams", factory: factory, limit: 1)
        metrics.record(try snapshot([], waits: [("sender", 250), ("sender", 1_500), ("thread", 20)]))
        #expect(try factory.expectMeter("streams.longest_wait", [("kind", "sender")]).lastValue == 1.5)
        #expect(try factory.expectMeter("streams.longest_wait", [("kind", "thread")]).lastValue == 0.02)
        #expect(try factory.expectMeter("streams.longest_wait", [("kind", "execution")]).lastValue == 0)
        metrics.record(try snapshot([]))
        #expect(try factory.expectMeter("streams.longest_wait", [("kind", "sender")]).lastValue == 0)
    }

    @Test("adds up queues of the same names, and what comes after the limit")
    func limit() throws {
        let metrics = BufferMetrics("streams", factory: factory, limit: 2)
        metrics.record(try snapshot([(1, "values", "a"), (2, "values", "a"), (4, "senders", "a")]))
        #expect(depth("a") == 7)
        metrics.record(try snapshot([(1, "values", "a"), (8, "values", "b"), (16, "values", "c")]))
        #expect(depth("a") == 1)
        #expect(depth("b") == nil)
        #expect(depth("other") == 24)
        metrics.record(try snapshot([]))
        #expect(depth("a") == 0)
        #expect(depth("other") == 0)
        #expect(factory.meters.filter { $0.label == "streams.buffer_depth" }.count == 3)
    }

    @Test("a limit of no names is a mistake of the caller")
    func wrongLimit() async {
        await #expect(processExitsWith: .failure) {
            _ = BufferMetrics("streams", factory: NOOPMetricsHandler.instance, limit: 0)
        }
    }
}
