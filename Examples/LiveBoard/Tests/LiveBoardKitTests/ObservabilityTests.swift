import InMemoryLogging
import LiveBoardKit
import Logging
import ReactiveSignalsPrometheus
import ServerKitTesting
import Testing

@Suite("Logs and metrics")
struct ObservabilityTests {
    @Test("adds the id of a request to its log entries and to its response")
    func requestID() async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .info
        let id = try await TestServer.run(logger: logger) { server in
            try await server.request("POST", "/api/incidents", json: HTTPTests.draft).headers["x-request-id"]
        }
        let entries = handler.entries.filter { $0.metadata["hb.request.id"]?.description == id }
        #expect(entries.map(\.message.description) == ["posted incident 1", "POST /api/incidents"])
        #expect(entries.last?.metadata["status"] == "201")
        #expect(handler.entries.last?.message == "The board is closed.")
    }

    @Test("does not log text from people")
    func privacy() async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .trace
        try await TestServer.run(logger: logger) { server in
            let json = #"{"title":"a secret","severity":"low","reporter":"Ann"}"#
            let answer = try await server.request("POST", "/api/incidents", json: json)
            #expect(answer.status == 201)
        }
        #expect(!handler.entries.contains { "\($0.message) \($0.metadata)".contains("secret") })
    }

    @Test("counts changes, incidents and clients, and shows them to Prometheus")
    func metrics() async throws {
        let metrics = PrometheusMetrics()
        try await TestServer.run(metrics: metrics) { server in
            let reader = try await server.events()
            _ = try await onThread { try reader.next() }
            try await server.post(3)
            #expect(try await server.request("POST", "/api/incidents/1/resolve", json: #"{"by":"Bob"}"#).status == 200)
            #expect(try await server.request("POST", "/api/incidents/9/resolve", json: #"{"by":"Bob"}"#).status == 404)

            let answer = try await server.request("GET", "/metrics")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.headers["cache-control"] == "no-store")
            for line in [
                "# TYPE liveboard_clients_in_flight gauge",
                "liveboard_clients_in_flight 1",
                #"liveboard_changes_starts_total{action="post"} 3"#,
                #"liveboard_changes_ends_total{action="post",outcome="completed"} 3"#,
                #"liveboard_changes_ends_total{action="resolve",outcome="completed"} 1"#,
                #"liveboard_changes_ends_total{action="resolve",outcome="failed"} 1"#,
                #"liveboard_changes_duration_seconds_count{action="post",outcome="completed"} 3"#,
                #"liveboard_incidents{status="open"} 2"#,
                #"liveboard_incidents{status="resolved"} 1"#,
                "liveboard_events_dropped_total 0",
                #"prometheus_ignored_total{reason="conflict"} 0"#,
            ] { #expect(answer.body.contains("\(line)\n"), "\(line)") }
            let head = try await server.request("HEAD", "/metrics")
            #expect(head.status == 200)
            let post = try await server.request("POST", "/metrics", json: "{}")
            #expect(post.status == 405)
        }
        // The stream has ended with the server.
        #expect(metrics.value("liveboard_clients_in_flight") == 0)
    }
}

extension PrometheusMetrics {
    /// The value of a line.
    func value(_ name: String) -> Double? {
        text().split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            .flatMap { Double($0.dropFirst(name.count + 1)) }
    }
}
