import Foundation
import LiveBoardKit
import Logging
import ReactiveSignals
import ReactiveSignalsPrometheus
import ServerKitTesting
import ServiceLifecycle

/// A real server in this process, on a free port.
struct TestServer: Sendable {
    let port: Int
    let board: Board
    let group: ServiceGroup

    /// Runs a server, and shuts it down gracefully afterwards.
    static func run<Result: Sendable>(
        database: String? = nil, logger: Logger? = nil, metrics: PrometheusMetrics = PrometheusMetrics(),
        _ change: (inout ServerSettings) -> Void = { _ in }, _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        var settings = ServerSettings()
        settings.port = 0
        settings.database = database ?? folder.path("board.sqlite")
        change(&settings)
        let logger = logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (started, input) = AsyncStream.makeStream(of: (Int, Board).self)
        let server = BoardServer(settings, logger: logger, prometheus: metrics) { port, board in
            input.yield((port, board))
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(
                        service: server, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup)
                ], logger: logger))
        let running = Task {
            defer { input.finish() }
            try await group.run()
        }
        var iterator = started.makeAsyncIterator()
        guard let (port, board) = await iterator.next() else {
            try await running.value
            throw Missing(what: "a server")
        }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(TestServer(port: port, board: board, group: group)))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running.value
        withExtendedLifetime(folder) {}
        return try result.get()
    }

    // MARK: Requests

    /// Sends a request, and returns the response.
    func request(
        _ method: String, _ path: String, json: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        let port = port
        return try await onThread {
            try Answer.to(method, path, json: json, headers: headers, port: port)
        }
    }

    /// Opens an event stream.
    func events(
        _ query: String = "", headers: [String: String] = [:], receiveBuffer: Int32? = nil
    ) async throws
        -> EventReader
    {
        let port = port
        return try await onThread {
            try EventReader(port: port, query: query, headers: headers, receiveBuffer: receiveBuffer)
        }
    }

    /// Posts incidents one by one.
    func post(_ count: Int, title: String = "Incident", description: String = "") async throws {
        for number in 0..<count {
            _ = try await board.post.execute(
                Draft(title: "\(title) \(number)", description: description, severity: "low", reporter: "Ann"))
        }
    }
}

/// A folder that is deleted when this object is released.
final class TemporaryFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("liveboard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
