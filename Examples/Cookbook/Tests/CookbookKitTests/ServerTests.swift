import CookbookKit
import Logging
import ServerKitTesting
import ServiceLifecycle
import Testing

@Suite("The server", .patient)
struct ServerTests {
    private func run(_ body: (_ port: Int) async throws -> Void) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (ports, input) = AsyncStream<Int>.makeStream()
        let server = CookbookServer(port: 0, logger: logger) { input.yield($0) }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { input.finish() }
                try await group.run()
            }
            for await port in ports {
                try await body(port)
                await group.triggerGracefulShutdown()
            }
            try await tasks.waitForAll()
        }
    }

    @Test("sends no body in response to HEAD, so that the next response is read correctly")
    func head() async throws {
        try await run { port in
            for (path, status) in [("/health", 200), ("/events", 200), ("/maintenance", 404), ("/nothing", 404)] {
                let answers = try await onThread {
                    try Answer.exchange(
                        [
                            Answer.request("HEAD", path),
                            Answer.request("HEAD", path, headers: ["Host": "evil.example"]),
                            Answer.request("OPTIONS", path), Answer.request("GET", "/health"),
                        ], port: port)
                }
                #expect(answers.map(\.status) == [status, 421, 404, 200], "\(path)")
                #expect(answers[3].body.contains(#""status":"ok""#))
            }
        }
    }

    @Test("refuses foreign hosts with 421, and requests without exactly one host with 400")
    func hosts() async throws {
        try await run { port in
            for (hosts, status) in [
                ("Host: evil.example\r\n", 421), ("", 400), ("Host: localhost\r\nHost: localhost\r\n", 400),
                ("Host: localhost\r\n", 200),
            ] {
                let answers = try await onThread {
                    try Answer.exchange(
                        [
                            "PUT /maintenance HTTP/1.1\r\n\(hosts)\r\n", "DELETE /maintenance HTTP/1.1\r\n\(hosts)\r\n",
                            "GET /health HTTP/1.1\r\n\(hosts)\r\n",
                        ], port: port)
                }
                #expect(
                    answers.map(\.status) == (status == 200 ? [204, 204, 200] : [status, status, status]), "\(hosts)")
            }
        }
    }
}
