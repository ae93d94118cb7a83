import Metrics
import ReactiveSignalsPrometheus
import Testing

@Suite("Metrics for Prometheus")
struct PrometheusMetricsTests {
    /// The number at the end of a line.
    private func value(_ line: String, _ metrics: PrometheusMetrics) -> String? {
        metrics.text().split(separator: "\n").first { $0.hasPrefix("\(line) ") }.map {
            String($0.dropFirst(line.count + 1))
        }
    }

    private func ignored(_ reason: String, _ metrics: PrometheusMetrics) -> String? {
        value("prometheus_ignored_total{reason=\"\(reason)\"}", metrics)
    }

    @Test("adds up metrics of the same name and labels, in any order")
    func same() {
        let metrics = PrometheusMetrics()
        Counter(label: "a.b", dimensions: [("x", "1"), ("y", "2")], factory: metrics).increment()
        Counter(label: "a_b", dimensions: [("y", "2"), ("x", "1")], factory: metrics).increment()
        FloatingPointCounter(label: "a_b_total", dimensions: [("y", "2"), ("x", "1")], factory: metrics)
            .increment(by: 1.5)
        #expect(value("a_b_total{x=\"1\",y=\"2\"}", metrics) == "3.5")
    }

    @Test("sets a counter to 0")
    func reset() {
        let metrics = PrometheusMetrics()
        let counter = Counter(label: "a", factory: metrics)
        counter.increment(by: 5)
        counter.reset()
        #expect(value("a_total", metrics) == "0")
        let fractions = FloatingPointCounter(label: "a", factory: metrics)
        fractions.increment(by: 0.5)
        fractions.reset()
        #expect(value("a_total", metrics) == "0")
    }

    @Test("loses nothing when several threads record, create metrics and read at the same time")
    func threads() async {
        let metrics = PrometheusMetrics()
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<2_000 {
                        let number = Int64(number)
                        Counter(label: "count", dimensions: [("part", "\(number % 10)")], factory: metrics).increment()
                        FloatingPointCounter(label: "fraction", factory: metrics).increment(by: 0.5)
                        Meter(label: "level", factory: metrics).increment(by: thread.isMultiple(of: 2) ? 1 : -1)
                        Timer(label: "time", factory: metrics).recordNanoseconds(1_000_000_000)
                        Recorder(label: "size", factory: metrics).record(number % 10)
                        if number % 100 == 0 { #expect(metrics.text().hasSuffix("\n")) }
                    }
                }
            }
        }
        for part in 0..<10 { #expect(value("count_total{part=\"\(part)\"}", metrics) == "800") }
        #expect(value("fraction_total", metrics) == "4000")
        #expect(value("level", metrics) == "0")
        #expect(value("time_seconds_sum", metrics) == "8000")
        #expect(value("time_seconds_bucket{le=\"1\"}", metrics) == "8000")
        #expect(value("time_seconds_bucket{le=\"0.5\"}", metrics) == "0")
        #expect(value("size_sum", metrics) == "36000")
        #expect(value("size_bucket{le=\"1\"}", metrics) == "1600")
        #expect(value("size_count", metrics) == "8000")
    }

    @Test("keeps no more series than the limit, and counts the metrics for which there is no room")
    func limit() {
        let metrics = PrometheusMetrics(limit: 3)
        for number in 0..<5 { Counter(label: "a", dimensions: [("n", "\(number)")], factory: metrics).increment() }
        Counter(label: "a", dimensions: [("n", "1")], factory: metrics).increment()
        #expect(value("a_total{n=\"1\"}", metrics) == "2")
        #expect(value("a_total{n=\"2\"}", metrics) == "1")
        #expect(value("a_total{n=\"3\"}", metrics) == nil)
        #expect(ignored("limit", metrics) == "2")
        // A histogram that does not fit as a whole.
        #expect(value("time_seconds_count", metrics) == nil)
    }

    @Test("counts each line of a histogram as a series")
    func histograms() {
        let metrics = PrometheusMetrics(limit: 9, durations: [1, 2])
        for name in ["a", "b"] { Timer(label: name, factory: metrics).recordSeconds(1) }
        for name in ["c", "d"] { Gauge(label: name, factory: metrics).record(1) }
        #expect(value("a_seconds_count", metrics) == "1")
        #expect(value("b_seconds_count", metrics) == nil)
        #expect(value("d", metrics) == "1")
        #expect(ignored("limit", metrics) == "1")
    }

    @Test("never has more series than the limit, however many threads bring new ones")
    func limitOfThreads() async {
        let metrics = PrometheusMetrics(limit: 100)
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<200 {
                        Counter(label: "a", dimensions: [("n", "\(thread) \(number)")], factory: metrics).increment()
                    }
                }
            }
        }
        #expect(metrics.text().split(separator: "\n").filter { $0.hasPrefix("a_total{") }.count == 100)
        #expect(ignored("limit", metrics) == "700")
    }

    @Test("makes room for others when a metric is destroyed, and begins again at 0")
    func destroy() {
        let metrics = PrometheusMetrics(limit: 18, durations: [1])
        let counter = Counter(label: "a", factory: metrics)
        let same = Counter(label: "a", factory: metrics)
        let fractions = FloatingPointCounter(label: "b", factory: metrics)
        let meter = Meter(label: "c", factory: metrics)
        let gauge = Gauge(label: "d", factory: metrics)
        let recorder = Recorder(label: "e", factory: metrics)
        let timer = Timer(label: "f", factory: metrics)
        counter.increment()
        counter.destroy()
        // Its series is gone, so these change nothing.
        same.increment()
        same.destroy()
        fractions.destroy()
        meter.destroy()
        gauge.destroy()
        recorder.destroy()
        timer.destroy()
        #expect(metrics.text() == PrometheusMetrics().text())
        for number in 0..<18 { Counter(label: "n", dimensions: [("n", "\(number)")], factory: metrics).increment() }
        #expect(ignored("limit", metrics) == "0")
        Counter(label: "n", dimensions: [("n", "0")], factory: metrics).destroy()
        let again = Counter(label: "a", factory: metrics)
        again.increment()
        #expect(value("a_total", metrics) == "1")
        // Not the metric that has this name now.
        same.destroy()
        #expect(value("a_total", metrics) == "1")
    }

    @Test("does not mix metrics of different types")
    func conflicts() {
        let metrics = PrometheusMetrics()
        Gauge(label: "a", factory: metrics).record(1)
        Recorder(label: "a", factory: metrics).record(1)
        Timer(label: "b", factory: metrics).recordSeconds(1)
        Gauge(label: "b_seconds_count", factory: metrics).record(7)
        Gauge(label: "c_sum", factory: metrics).record(1)
        Recorder(label: "c", factory: metrics).record(1)
        Counter(label: "prometheus_ignored", factory: metrics).increment()
        #expect(ignored("conflict", metrics) == "4")
        #expect(value("a", metrics) == "1")
        #expect(value("b_seconds_count", metrics) == "1")
        #expect(value("c_count", metrics) == nil)
    }

    @Test("ignores what would make a counter or a sum wrong, and counts it")
    func invalid() {
        let metrics = PrometheusMetrics()
        // The wrapper of swift-metrics removes some of these before the backend sees them.
        let counter = metrics.makeCounter(label: "a", dimensions: [])
        counter.increment(by: 3)
        counter.increment(by: -1)
        let fractions = metrics.makeFloatingPointCounter(label: "a", dimensions: [])
        fractions.increment(by: -0.5)
        fractions.increment(by: .nan)
        let recorder = metrics.makeRecorder(label: "b", dimensions: [], aggregate: true)
        recorder.record(.infinity)
        recorder.record(2.5)
        #expect(value("a_total", metrics) == "3")
        #expect(value("b_sum", metrics) == "2.5")
        #expect(value("b_count", metrics) == "1")
        #expect(ignored("decrease", metrics) == "2")
        #expect(ignored("not_a_number", metrics) == "2")
    }

    @Test("a limit or buckets that cannot be are mistakes of the caller")
    func mistakes() async {
        await #expect(processExitsWith: .failure) { _ = PrometheusMetrics(limit: -1) }
        await #expect(processExitsWith: .failure) { _ = PrometheusMetrics(durations: [1, 1]) }
        await #expect(processExitsWith: .failure) { _ = PrometheusMetrics(sizes: [1, .infinity]) }
    }
}
