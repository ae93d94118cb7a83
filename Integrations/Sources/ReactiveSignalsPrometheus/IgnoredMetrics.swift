import Synchronization

/// Counts what is not recorded.
final class IgnoredMetrics: Sendable {
    /// Why something is not recorded.
    enum Problem: String, Error, CaseIterable {
        case conflict, decrease, limit
        case notANumber = "not_a_number"
    }

    private final class Series: MetricSeries {
        let count = Atomic(0)

        func write(_ name: String, _ labels: String, to text: inout String) {
            text += Self.line(name, labels, "\(count.load(ordering: .relaxed))")
        }
    }

    static let name = "prometheus_ignored_total"

    private let series = Dictionary(uniqueKeysWithValues: Problem.allCases.map { ($0, Series()) })

    func count(_ problem: Problem) { series[problem]?.count.wrappingAdd(1, ordering: .relaxed) }

    var family: MetricFamily {
        let series = series.map { (PrometheusName.labels([("reason", $0.rawValue)]), $1 as any MetricSeries) }
        return MetricFamily(
            name: Self.name, kind: .counter, help: "Calls of swift-metrics that were not recorded",
            series: Dictionary(uniqueKeysWithValues: series))
    }
}
