import Metrics
import ReactiveSignals
import ReactiveSignalsMetrics
import ReactiveSignalsPrometheus
import ReactiveSignalsTracing
import Tracing

/// What the server reports about itself: metrics for Prometheus, and spans for the tracer of `InstrumentationSystem`.
///
/// Taps do both, so the board and the feed contain no code for it.
struct Telemetry: Sendable {
    let prometheus: PrometheusMetrics
    /// Measures the streams of clients: those in flight are the connected clients.
    let clients: StreamMetrics
    /// The number of events that did not fit into the buffer of a client.
    let dropped: Counter

    init(_ prometheus: PrometheusMetrics) {
        self.prometheus = prometheus
        clients = StreamMetrics("liveboard.clients", factory: prometheus)
        dropped = Counter(label: "liveboard.events.dropped", factory: prometheus)
    }

    /// Reports the changes and the counts of a board until it is closed.
    func follow(_ board: Board) {
        follow(board.post, "post")
        follow(board.acknowledge, "acknowledge")
        follow(board.resolve, "resolve")
        for status in Incident.Status.allCases {
            let dimensions = [("status", status.rawValue)]
            let gauge = Gauge(label: "liveboard.incidents", dimensions: dimensions, factory: prometheus)
            board.counts.producer.startWithNext { gauge.record($0[status]) }
        }
    }

    /// Measures the executions of an action, and makes a span of each.
    private func follow<Input>(_ action: Action<Input, BoardEvent, BoardError>, _ name: String) {
        action.tapped(by: StreamMetrics("liveboard.changes", dimensions: [("action", name)], factory: prometheus))
        action.tapped(by: StreamTracing("save", attributes: ["liveboard.action": "\(name)"]))
    }
}
