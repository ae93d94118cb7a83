import Metrics
import ReactiveSignals
import ReactiveSignalsMetrics
import ReactiveSignalsPrometheus
import Testing

/// The recipe of the README.
private struct Server: Sendable {
    // `MetricsSystem.bootstrap(prometheus)` at the beginning of the program lets
    // every library use it.
    let prometheus = PrometheusMetrics(
        limit: 10_000, help: ["orders.starts": "Orders that were begun"])
    let orders: StreamMetrics

    init() {
        orders = StreamMetrics("orders", factory: prometheus)
    }

    func ship(_ id: Int) -> SignalProducer<Int, Never> {
        SignalProducer(value: id).tapped(by: orders)
    }

    /// The answer to `GET /metrics`.
    func answer() -> (contentType: String, body: String) {
        (PrometheusMetrics.contentType, prometheus.text())
    }
}

@Suite("The recipe for Prometheus")
struct PrometheusRecipeTests {
    @Test("shows what was shipped")
    func orders() {
        let server = Server()
        for id in 0..<3 { server.ship(id).start() }
        let lines = server.answer().body.split(separator: "\n")
        #expect(lines.contains("# HELP orders_starts_total Orders that were begun"))
        #expect(lines.contains("orders_starts_total 3"))
        #expect(lines.contains("orders_values_total 3"))
        #expect(lines.contains("orders_in_flight 0"))
        #expect(lines.contains(#"orders_ends_total{outcome="completed"} 3"#))
        #expect(lines.contains(#"orders_duration_seconds_count{outcome="completed"} 3"#))
    }
}
