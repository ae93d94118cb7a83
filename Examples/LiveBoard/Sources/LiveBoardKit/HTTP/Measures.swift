import Metrics
import ReactiveSignals

/// The metrics of the server.
struct Measures: Sendable {
    /// The number of connected clients.
    let clients: Gauge
    /// The number of events that did not fit into the buffer of a client.
    let dropped: Counter
    private let events: [BoardEvent.Kind: Counter]
    private let incidents: [Incident.Status: Gauge]

    init(_ factory: any MetricsFactory) {
        clients = Gauge(label: "liveboard_clients", dimensions: [], factory: factory)
        dropped = Counter(label: "liveboard_events_dropped_total", dimensions: [], factory: factory)
        events = Dictionary(
            uniqueKeysWithValues: BoardEvent.Kind.allCases.map {
                ($0, Counter(label: "liveboard_events_total", dimensions: [("kind", $0.rawValue)], factory: factory))
            })
        incidents = Dictionary(
            uniqueKeysWithValues: Incident.Status.allCases.map {
                ($0, Gauge(label: "liveboard_incidents", dimensions: [("status", $0.rawValue)], factory: factory))
            })
    }

    /// Records the events and counts of a board until it is closed.
    func follow(_ board: Board) {
        board.events.observeNext { event in events[event.kind]?.increment() }
        board.counts.producer.startWithNext { counts in
            for (status, gauge) in incidents { gauge.record(counts[status]) }
        }
    }
}
