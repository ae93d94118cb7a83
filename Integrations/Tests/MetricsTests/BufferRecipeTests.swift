import Metrics
import MetricsTestKit
import ReactiveDiagnostics
import ReactiveSignals
import ReactiveSignalsMetrics
import Testing

/// The recipe of the README.
private struct Queues: Sendable {
    let buffers: BufferMetrics

    init(factory: any MetricsFactory) {
        // At the beginning of the program: only what is created after that is seen.
        StreamGraph.start()
        buffers = BufferMetrics("streams", factory: factory, limit: 50)
    }

    /// Before Prometheus reads the metrics.
    func record() { buffers.record() }
}

@Suite("The recipe for buffers")
struct BufferRecipeTests {
    @Test("shows the depth of a queue")
    func depth() throws {
        let factory = TestMetrics()
        let queues = Queues(factory: factory)
        let (signal, input) = Signal<Int, Never>.pipe()
        let place = "\(#fileID):\(#line + 1)"
        let values = signal.values(buffering: .unbounded).makeAsyncIterator()
        input.sendNext(1)
        queues.record()
        let meter = factory.meters.first { meter in
            meter.label == "streams.buffer_depth" && meter.dimensions.contains { $0.1 == place }
        }
        #expect(try #require(meter).lastValue == 1)
        withExtendedLifetime((values, input)) {}
    }
}
