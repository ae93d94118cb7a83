import Metrics
import ReactiveSignalsPrometheus
import Testing

@Suite("The text format of Prometheus")
struct PrometheusTextTests {
    /// The text without the counters of what is ignored.
    private func text(_ metrics: PrometheusMetrics) -> String {
        metrics.text().split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("prometheus_ignored_total") }.joined(separator: "\n")
    }

    @Test("has the lines of each type, ordered by name and by labels")
    func types() {
        let metrics = PrometheusMetrics(durations: [0.01, 1], sizes: [1, 10], help: ["orders": "Orders, by country"])
        Counter(label: "orders", dimensions: [("to", "no")], factory: metrics).increment(by: 2)
        Counter(label: "orders", dimensions: [("to", "de"), ("by", "ship")], factory: metrics).increment()
        Counter(label: "bytes_total", factory: metrics).increment(by: 7)
        FloatingPointCounter(label: "cpu.seconds", factory: metrics).increment(by: 0.25)
        Gauge(label: "queue.depth", factory: metrics).record(3)
        let meter = Meter(label: "load", factory: metrics)
        meter.set(1.5)
        meter.decrement(by: 2)
        let timer = Timer(label: "request", dimensions: [("path", "/")], factory: metrics)
        timer.recordMilliseconds(10)
        timer.recordMilliseconds(500)
        timer.recordSeconds(3)
        let recorder = Recorder(label: "size", factory: metrics)
        recorder.record(10)
        recorder.record(10.5)
        #expect(
            text(metrics) == """
                # HELP bytes_total bytes_total
                # TYPE bytes_total counter
                bytes_total 7
                # HELP cpu_seconds_total cpu.seconds
                # TYPE cpu_seconds_total counter
                cpu_seconds_total 0.25
                # HELP load load
                # TYPE load gauge
                load -0.5
                # HELP orders_total Orders, by country
                # TYPE orders_total counter
                orders_total{by="ship",to="de"} 1
                orders_total{to="no"} 2
                # HELP queue_depth queue.depth
                # TYPE queue_depth gauge
                queue_depth 3
                # HELP request_seconds request
                # TYPE request_seconds histogram
                request_seconds_bucket{path="/",le="0.01"} 1
                request_seconds_bucket{path="/",le="1"} 2
                request_seconds_bucket{path="/",le="+Inf"} 3
                request_seconds_sum{path="/"} 3.51
                request_seconds_count{path="/"} 3
                # HELP size size
                # TYPE size histogram
                size_bucket{le="1"} 0
                size_bucket{le="10"} 1
                size_bucket{le="+Inf"} 2
                size_sum 20.5
                size_count 2

                """)
    }

    @Test("counts what it ignores, also when that is nothing")
    func ignored() {
        let metrics = PrometheusMetrics(limit: 0)
        #expect(
            metrics.text() == """
                # HELP prometheus_ignored_total Calls of swift-metrics that were not recorded
                # TYPE prometheus_ignored_total counter
                prometheus_ignored_total{reason="conflict"} 0
                prometheus_ignored_total{reason="decrease"} 0
                prometheus_ignored_total{reason="limit"} 0
                prometheus_ignored_total{reason="not_a_number"} 0

                """)
        #expect(PrometheusMetrics.contentType == "text/plain; version=0.0.4; charset=utf-8")
    }

    @Test(
        "makes names valid",
        arguments: [
            ("orders.in-flight", "orders_in_flight"), ("9 lives", "_9_lives"), ("a:b", "a_b"), ("größe", "gr__e"),
            ("", "_"), ("x\ny{} 1", "x_y___1"), ("👍", "_"),
        ])
    func names(label: String, name: String) {
        let metrics = PrometheusMetrics()
        Gauge(label: label, factory: metrics).record(1)
        #expect(text(metrics).hasSuffix("\n# TYPE \(name) gauge\n\(name) 1\n"))
    }

    @Test(
        "makes the names of labels valid",
        arguments: [
            ("status code", "status_code"), ("1st", "_1st"), ("le", "exported_le"), ("quantile", "exported_quantile"),
            ("__name__", "exported___name__"), ("", "_"),
        ])
    func labelNames(name: String, valid: String) {
        let metrics = PrometheusMetrics()
        Gauge(label: "g", dimensions: [(name, "v")], factory: metrics).record(1)
        #expect(text(metrics).hasSuffix("\ng{\(valid)=\"v\"} 1\n"))
    }

    @Test("escapes what would end a value or a line, and keeps everything else")
    func escaping() {
        let metrics = PrometheusMetrics(help: ["g": "a \"quoted\"\nback\\slash"])
        Gauge(label: "g", dimensions: [("v", "a\"b\\c\nd\te,}ü")], factory: metrics).record(1)
        #expect(
            text(metrics) == #"""
                # HELP g a "quoted"\nback\\slash
                # TYPE g gauge
                g{v="a\"b\\c\nd\#te,}ü"} 1

                """#)
    }

    @Test("joins the values of dimensions with the same name")
    func duplicates() {
        let metrics = PrometheusMetrics()
        Gauge(label: "g", dimensions: [("a.b", "1"), ("c", "2"), ("a_b", "3")], factory: metrics).record(1)
        #expect(text(metrics).hasSuffix("\ng{a_b=\"1;3\",c=\"2\"} 1\n"))
    }

    @Test(
        "writes numbers as Prometheus reads them",
        arguments: [
            (1, "1"), (-0.001, "-0.001"), (1e-7, "1e-07"),
            (1e15, "1000000000000000"), (1e20, "1e+20"), (123_456_789_012, "123456789012"),
            (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (-0.0, "0"),
        ])
    func numbers(value: Double, text: String) {
        let metrics = PrometheusMetrics()
        Gauge(label: "g", factory: metrics).record(value)
        #expect(self.text(metrics).hasSuffix("\ng \(text)\n"))
    }
}
