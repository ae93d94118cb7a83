import InMemoryLogging
import LiveBoardKit
import Logging
import MetricsTestKit
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

    @Test("counts events, incidents and clients")
    func metrics() async throws {
        let metrics = TestMetrics()
        try await TestServer.run(metrics: metrics) { server in
            let reader = try await server.events()
            _ = try await onThread { try reader.next() }
            #expect(try metrics.expectGauge("liveboard_clients").lastValue == 1)
            try await server.post(3)
            #expect(try await server.request("POST", "/api/incidents/1/resolve", json: #"{"by":"Bob"}"#).status == 200)
            #expect(try metrics.expectCounter("liveboard_events_total", [("kind", "posted")]).totalValue == 3)
            #expect(try metrics.expectCounter("liveboard_events_total", [("kind", "resolved")]).totalValue == 1)
            #expect(try metrics.expectGauge("liveboard_incidents", [("status", "open")]).lastValue == 2)
            #expect(try metrics.expectGauge("liveboard_incidents", [("status", "resolved")]).lastValue == 1)
        }
        // The stream has ended with the server.
        #expect(try metrics.expectGauge("liveboard_clients").lastValue == 0)
    }
}
