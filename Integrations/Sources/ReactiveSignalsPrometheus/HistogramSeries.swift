import CoreMetrics
import Synchronization

/// A histogram.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    /// The number of values in one bucket, without those in lower buckets.
    private final class Bucket: Sendable {
        let count = Atomic(0)
    }

    private let bounds: [Double]
    /// One for each upper bound, and one for greater values.
    private let buckets: [Bucket]
    private let sum = AtomicDouble()
    private let ignored: IgnoredMetrics

    init(_ bounds: [Double], _ ignored: IgnoredMetrics) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Bucket() }
        self.ignored = ignored
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return ignored.count(.notANumber) }
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if value <= bounds[middle] { high = middle } else { low = middle + 1 }
        }
        buckets[low].count.wrappingAdd(1, ordering: .relaxed)
        sum.add(value)
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }

    var size: Int { bounds.count + 3 }

    func write(_ name: String, _ labels: String, to text: inout String) {
        let prefix = labels.isEmpty ? "" : "\(labels),"
        var total = 0
        for (bound, bucket) in zip(bounds + [.infinity], buckets) {
            total += bucket.count.load(ordering: .relaxed)
            text += Self.line("\(name)_bucket", "\(prefix)le=\"\(PrometheusName.number(bound))\"", "\(total)")
        }
        text += Self.line("\(name)_sum", labels, PrometheusName.number(sum.load()))
        text += Self.line("\(name)_count", labels, "\(total)")
    }
}
