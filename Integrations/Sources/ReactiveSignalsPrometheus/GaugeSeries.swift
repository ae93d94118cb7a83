import CoreMetrics

/// A gauge. It can have any value, also one that is not a number.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let value = AtomicDouble()

    func set(_ value: Int64) { self.value.store(Double(value)) }
    func set(_ value: Double) { self.value.store(value) }
    func increment(by amount: Double) { value.add(amount) }
    func decrement(by amount: Double) { value.add(-amount) }
    func record(_ value: Int64) { self.value.store(Double(value)) }
    func record(_ value: Double) { self.value.store(value) }

    func write(_ name: String, _ labels: String, to text: inout String) {
        text += Self.line(name, labels, PrometheusName.number(value.load()))
    }
}
