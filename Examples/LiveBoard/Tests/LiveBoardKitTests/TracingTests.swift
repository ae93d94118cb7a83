import Foundation
import InMemoryTracing
import LiveBoardKit
import ServerKitTesting
import Testing
import Tracing

@Suite("Traces")
struct TracingTests {
    /// The tracer of this process. Other tests make spans, too, in traces of their own.
    private static let tracer: InMemoryTracer = {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        return tracer
    }()

    /// Sends a request as a client that has begun a trace does.
    private func request(
        _ path: String, json: String, trace: String, _ server: TestServer
    ) async throws -> Answer {
        try await server.request(
            "POST", path, json: json,
            headers: [InMemoryTracer.traceIDKey: trace, InMemoryTracer.spanIDKey: "the client"])
    }

    /// Waits until a trace has this many spans, and all have ended. Returns each with its ancestors.
    private func paths(_ count: Int, _ trace: String) async throws -> [String] {
        let deadline = ContinuousClock.now + patience
        var spans: [FinishedInMemorySpan] = []
        while ContinuousClock.now < deadline {
            spans = Self.tracer.finishedSpans.filter { $0.traceID == trace }
            let isOver = !Self.tracer.activeSpans.contains { $0.traceID == trace }
            if isOver, spans.count >= count { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        let byID = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanID, $0) })
        return spans.map { span in
            var (path, span) = (span.operationName, span)
            while let parent = span.parentSpanID.flatMap({ byID[$0] }) {
                path = "\(parent.operationName) > \(path)"
                span = parent
            }
            return "\(span.parentSpanID ?? "nothing") > \(path)"
        }.sorted()
    }

    @Test("show one tree for a request, from the client through the change to the browsers")
    func tree() async throws {
        _ = Self.tracer
        let trace = UUID().uuidString
        try await TestServer.run { server in
            let browsers = [try await server.events(), try await server.events()]
            try await onThread { try browsers[0].readUntil(watchers: 2) }
            let answer = try await request("/api/incidents", json: HTTPTests.draft, trace: trace, server)
            #expect(answer.status == 201)
            for browser in browsers {
                let sequence = try await onThread {
                    while let message = try browser.next() {
                        if let change = message.change { return change.sequence }
                    }
                    throw Missing(what: "the change")
                }
                #expect(sequence == 1)
            }
            #expect(
                try await paths(4, trace) == [
                    "the client > /api/incidents",
                    "the client > /api/incidents > save",
                    "the client > /api/incidents > save > send event",
                    "the client > /api/incidents > save > send event",
                ])
            let spans = Self.tracer.finishedSpans.filter { $0.traceID == trace }
            let save = try #require(spans.first { $0.operationName == "save" })
            #expect(save.attributes["liveboard.action"]?.toSpanAttribute() == .string("post"))
            #expect(save.attributes["stream.outcome"]?.toSpanAttribute() == .string("completed"))
            let request = try #require(spans.first { $0.operationName == "/api/incidents" })
            #expect(request.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(201))

            // A client that reconnects receives the event, but not in that trace.
            let late = try await server.events("?after=0")
            #expect(try await onThread { try late.changes(1) } == [1])
            #expect(try await paths(4, trace).count == 4)
        }
    }

    @Test("keep requests apart that are made at the same time")
    func several() async throws {
        _ = Self.tracer
        try await TestServer.run { server in
            let browser = try await server.events()
            try await onThread { try browser.readUntil(watchers: 1) }
            let traces = (0..<20).map { _ in UUID().uuidString }
            try await withThrowingTaskGroup { group in
                for trace in traces {
                    group.addTask {
                        let answer = try await request("/api/incidents", json: HTTPTests.draft, trace: trace, server)
                        #expect(answer.status == 201)
                    }
                }
                try await group.waitForAll()
            }
            for trace in traces {
                #expect(
                    try await paths(3, trace) == [
                        "the client > /api/incidents",
                        "the client > /api/incidents > save",
                        "the client > /api/incidents > save > send event",
                    ])
            }
        }
    }

    @Test("show why a change was refused")
    func refused() async throws {
        _ = Self.tracer
        let trace = UUID().uuidString
        try await TestServer.run { server in
            let answer = try await request(
                "/api/incidents/7/acknowledge", json: #"{"by":"Bob"}"#, trace: trace, server)
            #expect(answer.status == 404)
            let path = "the client > /api/incidents/{id}/acknowledge"
            #expect(try await paths(2, trace) == [path, "\(path) > save"])
            let spans = Self.tracer.finishedSpans.filter { $0.traceID == trace }
            let save = try #require(spans.first { $0.operationName == "save" })
            #expect(save.status?.code == .error)
            #expect(save.errors.count == 1)
            let request = try #require(spans.first { $0.operationName != "save" })
            #expect(request.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(404))
            #expect(request.status == nil)
        }
    }
}
