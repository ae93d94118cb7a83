import CookbookKit
import Foundation
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

    @Test("as a program exits with 1 and one line if the port is in use")
    func taken() async throws {
        try await run { port in
            let end = try await onThread { try Self.program(["--port", "\(port)"]) }
            #expect(end.status == 1)
            #expect(
                end.text == """
                    Error: cannot listen on port \(port): another program is using it; stop it, or choose another one \
                    with --port

                    """)
        }
    }

    @Test("as a program exits with 64 for wrong usage", arguments: [["--port", "70000"], ["--nope"]])
    func usage(_ arguments: [String]) async throws {
        let end = try await onThread { try Self.program(arguments) }
        #expect(end.status == 64)
        #expect(end.text.hasPrefix("Error: "))
    }

    /// Runs the program until it exits. Returns its exit status and its output.
    private static func program(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "Cookbook")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
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
