import CoreMetrics
import Synchronization

/// A counter.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let count = Atomic<Int64>(0)
    /// What was added as floating-point numbers.
    private let fraction = AtomicDouble()
    private let ignored: IgnoredMetrics

    init(_ ignored: IgnoredMetrics) { self.ignored = ignored }

    func increment(by amount: Int64) {
        if amount < 0 { return ignored.count(.decrease) }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func increment(by amount: Double) {
        guard amount.isFinite else { return ignored.count(.notANumber) }
        if amount < 0 { return ignored.count(.decrease) }
        fraction.add(amount)
    }

    func reset() {
        count.store(0, ordering: .relaxed)
        fraction.store(0)
    }

    func write(_ name: String, _ labels: String, to text: inout String) {
        let (count, fraction) = (count.load(ordering: .relaxed), fraction.load())
        text += Self.line(
            name, labels, fraction == 0 ? "\(count)" : PrometheusName.number(Double(count) + fraction))
    }
}

/// A floating-point number that threads add to.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    func load() -> Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func store(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func add(_ amount: Double) {
        var seen = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: seen) + amount).bitPattern
            let (done, now) = bits.weakCompareExchange(expected: seen, desired: sum, ordering: .relaxed)
            if done { return }
            seen = now
        }
    }
}
