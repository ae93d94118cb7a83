import Metrics
import ReactiveSignals

/// What the server tells a metrics system, if one has been set up.
struct Measures: Sendable {
    /// How many clients follow the board.
    let clients: Gauge
    /// How many events clients had no room for.
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

    /// Follows a board for as long as it is open.
    func follow(_ board: Board) {
        board.events.observeNext { event in events[event.kind]?.increment() }
        board.counts.producer.startWithNext { counts in
            for (status, gauge) in incidents { gauge.record(counts[status]) }
        }
    }
}
