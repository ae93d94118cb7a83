public import CoreMetrics
import Synchronization

/// A backend for swift-metrics that keeps the metrics in memory and writes them in the text format of Prometheus.
///
/// ```swift
/// let prometheus = PrometheusMetrics()
/// MetricsSystem.bootstrap(prometheus)
/// // In the handler of `GET /metrics`, with the content type `PrometheusMetrics.contentType`:
/// let page = prometheus.text()
/// ```
///
/// | swift-metrics | Prometheus |
/// |---|---|
/// | `Counter`, `FloatingPointCounter` | a counter; its name gets the suffix `_total` |
/// | `Meter`, `Gauge` | a gauge |
/// | `Timer` | a histogram in seconds; its name gets the suffix `_seconds` |
/// | `Recorder` | a histogram |
///
/// **Names**: characters that Prometheus does not allow become `_`, so `orders.in_flight` becomes `orders_in_flight`. A
/// label name that Prometheus reserves, such as `le`, gets the prefix `exported_`. If two dimensions have the same name
/// then, their values are joined with `;`. Metrics whose names and labels are equal are one series, whatever their
/// order. The `HELP` line is the text that you pass, or the label in the code.
///
/// **Limit**: a metric stays in memory until it is destroyed. So there are at most `limit` series, counted as
/// Prometheus counts them: a histogram is one per bucket, and two more. A metric that does not fit records nothing, and
/// the text does not contain it. It does not begin to record when others are destroyed: create it again.
///
/// **Nothing is lost silently.** `prometheus_ignored_total` counts what is not recorded, by its `reason`:
///
/// | reason | what is counted |
/// |---|---|
/// | `limit` | creations of metrics for which there is no room |
/// | `conflict` | creations of metrics whose name belongs to a metric of another type |
/// | `decrease` | calls that would decrease a counter |
/// | `not_a_number` | values of counters and histograms that are not finite numbers |
///
/// **Threads**: everything can be used on any thread. To record a value takes no lock: a counter costs one atomic
/// addition, a histogram two. To create a metric, and to write the text, takes a lock for a short time. The text is not
/// taken at one instant: a value that is recorded in the meantime may be in the count of a histogram and not in its
/// sum.
///
/// **Destroying** a metric removes its series, for all metrics with the same name and labels. A later one begins at 0.
public final class PrometheusMetrics: MetricsFactory, Sendable {
    /// The content type of ``text()``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The default upper bounds for timers, in seconds.
    public static let durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// The default upper bounds for recorders.
    public static let sizes: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

    private struct State {
        var families: [String: MetricFamily] = [:]
        /// The names and the labels of the series in the families.
        var places: [ObjectIdentifier: (name: String, labels: String)] = [:]
        /// How many series of Prometheus they are.
        var size = 0
    }

    private let limit: Int
    private let durationBuckets: [Double]
    private let sizeBuckets: [Double]
    private let help: [String: String]
    private let ignored = IgnoredMetrics()
    private let state = Mutex(State())

    /// Creates a backend without metrics.
    ///
    /// Traps if the limit is negative, or if upper bounds are not finite or do not increase.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of series, without those of `prometheus_ignored_total`.
    ///   - durations: The upper bounds of the buckets for timers, in seconds.
    ///   - sizes: The upper bounds of the buckets for recorders.
    ///   - help: The texts of `HELP` lines, by the label in the code.
    public init(
        limit: Int = 10_000, durations: [Double] = PrometheusMetrics.durations,
        sizes: [Double] = PrometheusMetrics.sizes, help: [String: String] = [:]
    ) {
        precondition(limit >= 0, "PrometheusMetrics(limit: \(limit)): the number of series must not be negative")
        for (name, bounds) in [("durations", durations), ("sizes", sizes)] {
            let isValid = bounds.allSatisfy(\.isFinite) && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }
            precondition(
                isValid, "PrometheusMetrics(\(name): \(bounds)): the upper bounds must be finite, and must increase")
        }
        self.limit = limit
        durationBuckets = durations
        sizeBuckets = sizes
        self.help = help
    }

    /// All metrics, in the text format of Prometheus.
    ///
    /// Ordered by name and by labels. The work is done outside the lock, in proportion to the number of series.
    public func text() -> String {
        // The dictionaries are shared with the state until the next metric is created.
        let families = state.withLock { $0.families.values.map { $0 } }
        var text = ""
        for family in (families + [ignored.family]).sorted(by: { $0.name < $1.name }) { family.write(to: &text) }
        return text
    }

    // MARK: Creating

    /// Returns the series, or `nil` if it is not recorded. Creates it if it does not exist.
    private func series<Series: MetricSeries>(
        _ label: String, suffix: String, _ dimensions: [(String, String)], _ type: MetricFamily.Kind, size: Int = 1,
        _ make: () -> Series
    ) -> Series? {
        let name = PrometheusName.metric(label, suffix: suffix)
        let labels = PrometheusName.labels(dimensions)
        let result = state.withLock { state -> Result<Series, IgnoredMetrics.Problem> in
            if let family = state.families[name] {
                guard family.kind == type else { return .failure(.conflict) }
                if let known = family.series[labels] as? Series { return .success(known) }
            } else if type.names(of: name).contains(where: { Self.isTaken($0, in: state.families) }) {
                return .failure(.conflict)
            }
            guard size <= limit - state.size else { return .failure(.limit) }
            let series = make()
            state.size += size
            state.places[ObjectIdentifier(series)] = (name, labels)
            let new = MetricFamily(name: name, kind: type, help: help[label] ?? label)
            state.families[name, default: new].series[labels] = series
            return .success(series)
        }
        switch result {
        case .success(let series): return series
        case .failure(let problem):
            ignored.count(problem)
            return nil
        }
    }

    /// Whether a line of the text can have this name.
    private static func isTaken(_ name: String, in families: [String: MetricFamily]) -> Bool {
        if name == IgnoredMetrics.name || families[name] != nil { return true }
        return MetricFamily.Kind.suffixes.contains { suffix in
            name.hasSuffix(suffix) && families[String(name.dropLast(suffix.count))]?.kind == .histogram
        }
    }

    /// Returns the counter of this name and these labels.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    /// Returns the counter of this name and these labels.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { counter(label, dimensions) ?? NOOPMetricsHandler.instance }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> CounterSeries? {
        series(label, suffix: "_total", dimensions, .counter) { CounterSeries(ignored) }
    }

    /// Returns the gauge of this name and these labels.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, suffix: "", dimensions, .gauge) { GaugeSeries() } ?? NOOPMetricsHandler.instance
    }

    /// Returns the histogram of this name and these labels; a gauge unless `aggregate` is set.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else {
            return series(label, suffix: "", dimensions, .gauge) { GaugeSeries() } ?? NOOPMetricsHandler.instance
        }
        return histogram(label, suffix: "", dimensions, sizeBuckets) ?? NOOPMetricsHandler.instance
    }

    /// Returns the histogram of this name and these labels, in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, suffix: "_seconds", dimensions, durationBuckets) ?? NOOPMetricsHandler.instance
    }

    private func histogram(
        _ label: String, suffix: String, _ dimensions: [(String, String)], _ bounds: [Double]
    ) -> HistogramSeries? {
        // The bucket without an upper bound, the sum and the count.
        series(label, suffix: suffix, dimensions, .histogram, size: bounds.count + 3) {
            HistogramSeries(bounds, ignored)
        }
    }

    // MARK: Destroying

    /// Removes the series.
    public func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }
    /// Removes the series.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler) }
    /// Removes the series.
    public func destroyMeter(_ handler: any MeterHandler) { destroy(handler) }
    /// Removes the series.
    public func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }
    /// Removes the series.
    public func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }

    private func destroy(_ handler: AnyObject) {
        guard let series = handler as? any MetricSeries else { return }
        state.withLock { state in
            // Nothing is left to do for a series that another metric has destroyed.
            guard let (name, labels) = state.places.removeValue(forKey: ObjectIdentifier(series)) else { return }
            state.families[name]?.series[labels] = nil
            if state.families[name]?.series.isEmpty == true { state.families[name] = nil }
            state.size -= series.size
        }
    }
}
