import Metrics
import ReactiveSignals

/// The metrics of the streams with one name.
final class MetricSet: Sendable {
    let starts: Counter
    let inFlight: Meter
    /// The handler itself, so that a value costs one call.
    let values: any CounterHandler
    /// Counts a value. Made once, and shared by all streams with these metrics.
    let countValue: @Sendable () -> Void
    /// By outcome.
    let ends: [Counter]
    /// By outcome.
    let durations: [Timer]
    let waiting: [StreamWaiting.Kind: Meter]
    let lag: [StreamWaiting.Kind: Timer]

    init(_ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
        starts = Counter(label: "\(label).starts", dimensions: dimensions, factory: factory)
        inFlight = Meter(label: "\(label).in_flight", dimensions: dimensions, factory: factory)
        let values = factory.makeCounter(label: "\(label).values", dimensions: dimensions)
        self.values = values
        countValue = { values.increment(by: 1) }
        let outcomes = StreamMetrics.Outcome.allCases.map { dimensions + [("outcome", "\($0)")] }
        ends = outcomes.map { Counter(label: "\(label).ends", dimensions: $0, factory: factory) }
        durations = outcomes.map { Timer(label: "\(label).duration", dimensions: $0, factory: factory) }
        let kinds = StreamWaiting.Kind.allCases.map { ($0, dimensions + [("kind", $0.rawValue)]) }
        waiting = Dictionary(
            uniqueKeysWithValues: kinds.map {
                ($0, Meter(label: "\(label).waiting", dimensions: $1, factory: factory))
            })
        lag = Dictionary(
            uniqueKeysWithValues: kinds.map { ($0, Timer(label: "\(label).lag", dimensions: $1, factory: factory)) })
    }
}

/// The metrics of a tap, by the names of its streams.
final class MetricCatalog: Sendable {
    private let label: String
    private let dimensions: [(String, String)]
    private let factory: any MetricsFactory
    private let limit: Int
    private let name: @Sendable (TappedStream) -> String?
    /// The metrics of streams without a name, or with one too many.
    private let common: MetricSet
    private let named = MutableProperty<[String: MetricSet]>([:])

    init(
        _ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory, limit: Int,
        name: @escaping @Sendable (TappedStream) -> String?
    ) {
        self.label = label
        self.dimensions = dimensions
        self.factory = factory
        self.limit = limit
        self.name = name
        common = MetricSet(label, limit == 0 ? dimensions : dimensions + [("stream", "other")], factory)
    }

    func metrics(of stream: TappedStream) -> MetricSet {
        guard let name = name(stream) else { return common }
        let known = named.value
        if let metrics = known[name] { return metrics }
        if known.count >= limit { return common }
        // Made outside the property, because it calls the backend. If two threads do so, one set is not used.
        let made = MetricSet(label, dimensions + [("stream", name)], factory)
        return named.modify { named in
            if let metrics = named[name] { return metrics }
            if named.count >= limit { return common }
            named[name] = made
            return made
        }
    }
}
