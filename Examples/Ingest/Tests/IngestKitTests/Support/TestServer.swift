import Foundation
import IngestKit
import Logging
import ServerKitTesting
import ServiceLifecycle

/// A real server in this process, on a free port, with a database in a temporary folder.
struct TestServer: Sendable {
    let port: Int
    private let group: ServiceGroup

    /// Runs a server, shuts it down gracefully afterwards, and returns what is in its database.
    @discardableResult
    static func run(
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ change: (inout ServerSettings) -> Void = { _ in }, _ body: (TestServer) async throws -> Void
    ) async throws -> [Int: Reading] {
        let folder = try TemporaryFolder()
        var settings = ServerSettings()
        settings.port = 0
        settings.database = folder.path("ingest.sqlite")
        change(&settings)
        let (ports, input) = AsyncStream.makeStream(of: Int.self)
        let server = IngestServer(settings, logger: logger, onRunning: { input.yield($0) })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: server, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                // A server that cannot start must not leave the test waiting for its port.
                defer { input.finish() }
                try await group.run()
            }
            for await port in ports {
                try await body(TestServer(port: port, group: group))
                await group.triggerGracefulShutdown()
            }
            try await tasks.waitForAll()
        }
        let store = try MeasurementStore(path: settings.database)
        defer { try? store.close() }
        return try store.all()
    }

    func shutDown() async { await group.triggerGracefulShutdown() }

    /// Returns when the server has accepted this many measurements.
    func waitForAccepted(_ count: Int) async throws {
        while try await !send("GET", "/health").body.contains(#""accepted":\#(count),"#) {}
    }

    func post(_ body: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("POST", "/measurements", body, headers: headers)
    }

    /// Sends a request on a connection of its own.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        try await onThread { [port] in try Answer.to(method, path, json: body, headers: headers, port: port) }
    }
}

extension Answer {
    var retryAfter: String? { headers["retry-after"] }
}

/// A folder that is deleted when this object is released.
final class TemporaryFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("ingest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
