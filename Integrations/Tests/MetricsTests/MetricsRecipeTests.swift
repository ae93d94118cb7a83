import Metrics
import MetricsTestKit
import ReactiveSignals
import ReactiveSignalsMetrics
import Testing

/// The recipe of the README.
private struct Orders: Sendable {
    let metrics: StreamMetrics

    init(factory: any MetricsFactory) {
        // Once, not for each request: this makes the metrics.
        metrics = StreamMetrics(
            "orders", dimensions: [("region", "eu")], factory: factory)
    }

    func load(_ id: Int) -> SignalProducer<Int, Never> {
        SignalProducer(value: id).tapped(by: metrics)
    }
}

@Suite("The recipe for metrics")
struct MetricsRecipeTests {
    @Test("counts what is loaded")
    func orders() throws {
        let factory = TestMetrics()
        let orders = Orders(factory: factory)
        for id in 0..<3 { orders.load(id).start() }
        #expect(try factory.expectCounter("orders.starts", [("region", "eu")]).totalValue == 3)
    }
}
