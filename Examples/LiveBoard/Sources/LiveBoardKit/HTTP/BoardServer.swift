import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ReactiveSignals
import ReactiveSignalsFoundation
package import ReactiveSignalsPrometheus
import ServerKit
import ServiceLifecycle

/// The settings of a server.
package struct ServerSettings: Sendable {
    package var host = "127.0.0.1"
    /// 0 selects a free port.
    package var port = 8080
    /// Host names that requests can use besides addresses, `localhost` and ``host``; `*` allows every name.
    package var allowedHosts: [String] = []
    /// The path of the database.
    package var database = "liveboard.sqlite"
    /// Where to record the events, for a test to replay them; `nil` records nothing.
    package var recording: String?
    /// How many of the latest events are kept in memory for clients that reconnect. At least 1.
    package var replay = 1_000
    /// How many events can wait for a slow client. At least 1.
    package var buffer = 256
    package var heartbeat: Duration = .seconds(15)
    /// The servers of the cluster; empty for a board of its own.
    package var cluster: [String] = []
    /// How many servers of the cluster store each event.
    package var replicas = 1
    /// How long the head of a request can take, and how long a connection can be idle.
    package var idleTime: Duration = .seconds(30)
    /// How long the body of a request can take.
    package var bodyTime: Duration = .seconds(10)
    /// How long a client can read nothing.
    package var stallTime: Duration = .seconds(30)
    /// The maximum number of connections, if the limit of open files allows it. Further ones wait to be accepted.
    package var connections = 10_000

    package init() {}

    /// The maximum number of connections for a process that can open `descriptors` files.
    ///
    /// Without a free descriptor, accepting fails, and SwiftNIO's server channel retries in a busy loop on a thread
    /// that other connections need. So this reserves descriptors for the database, its journal and readers, the event
    /// loops, and connections that are accepted in one batch with the last one.
    package func connectionLimit(descriptors: Int) -> Int {
        max(1, min(connections, descriptors - max(64, descriptors / 16)))
    }
}

/// The board as a service: the database and the HTTP server.
///
/// On shutdown, it accepts nothing more, finishes the running requests, ends every stream, and closes the database.
package struct BoardServer: Service {
    private let settings: ServerSettings
    private let logger: Logger
    private let prometheus: PrometheusMetrics
    private let onRunning: @Sendable (_ port: Int, Board) async -> Void

    /// - Parameters:
    ///   - prometheus: What `GET /metrics` shows.
    ///   - onRunning: Called once the server accepts connections.
    package init(
        _ settings: ServerSettings, logger: Logger, prometheus: PrometheusMetrics,
        onRunning: @escaping @Sendable (_ port: Int, Board) async -> Void = { _, _ in }
    ) {
        self.settings = settings
        self.logger = logger
        self.prometheus = prometheus
        self.onRunning = onRunning
    }

    package func run() async throws {
        guard !settings.cluster.isEmpty else {
            let board = try Board(path: settings.database)
            try record(board)
            return try await serveAndClose(board)
        }
        let (settings, logger) = (settings, logger)
        let cluster: any BoardCluster
        do {
            cluster = try await cancelWhenGracefulShutdown {
                try await joinCluster(settings.cluster, replicas: settings.replicas, logger: logger)
            }
        } catch  where Task.isShuttingDownGracefully {
            logger.info("Shut down before the board has joined the cluster.", metadata: ["error": "\(error)"])
            return
        }
        let board = try Board(path: settings.database, cluster: cluster)
        try record(board)
        let isCurrent = MutableProperty(false)
        // Serves as soon as the board is current. Ends if the board cannot follow the cluster any more.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await board.follow { isCurrent.value = true } }
            group.addTask {
                await cancelWhenGracefulShutdown { _ = await isCurrent.producer.filter { $0 }.first() }
                if isCurrent.value { try await serveAndClose(board) } else { try await board.close() }
            }
            defer { group.cancelAll() }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func serveAndClose(_ board: Board) async throws {
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await serve(board))
        } catch {
            outcome = .failure(error)
        }
        // Close after the last request, also after an error. The task is not cancelled with this one, so the running
        // commit can finish.
        try await Task { try await board.close() }.value
        logger.info("The board is closed.", metadata: ["sequence": "\(board.state.value.sequence)"])
        try outcome.get()
    }

    private func record(_ board: Board) throws {
        guard let path = settings.recording else { return }
        do throws(SystemError) {
            try board.recorder.start(writingTo: URL(filePath: path), upTo: .bytes(100_000_000))
        } catch {
            throw RecordingProblem(path: path, error: error)
        }
    }

    private func serve(_ board: Board) async throws {
        let state = board.state.value
        logger.info(
            "The board is open.",
            metadata: [
                "database": "\(settings.database)", "sequence": "\(state.sequence)",
                "unresolved": "\(state.counts.unresolved)",
            ])
        // One entry for all changes that cannot be saved, and not one for each.
        board.failure.producer.skipRepeats { ($0 == nil) == ($1 == nil) }.skip(first: 1)
            .startWithNext { [logger] failure in
                if let failure {
                    logger.error("Changes cannot be saved.", metadata: ["error": "\(failure)"])
                } else {
                    logger.notice("Changes are saved again.")
                }
            }
        let telemetry = Telemetry(prometheus)
        telemetry.follow(board)
        let past = try await board.history(after: max(0, state.sequence - settings.replay), limit: settings.replay)
        let snapshots = SnapshotCache()
        let feed = Feed(board, past: past, settings, telemetry, snapshots)
        let routes = Routes(
            board: board, feed: feed, snapshots: snapshots, page: try Page(), prometheus: prometheus,
            hosts: AllowedHosts(settings.allowedHosts + [settings.host]))
        let settings = settings
        let onRunning = onRunning
        let connections = settings.connectionLimit(descriptors: DescriptorLimit.current)
        if connections < settings.connections {
            logger.info(
                "The limit of open files reduces the number of connections.",
                metadata: ["connections": "\(connections)"])
        }
        let application = Application(
            router: routes.router(),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [
                        ConnectionGuard(bodyTime: settings.bodyTime, stallTime: settings.stallTime)
                    ],
                    idleTimeout: TimeAmount(settings.idleTime),
                    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                        maxHeaderFieldSize: 8_192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 100))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: "LiveBoard", backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(connections)),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? settings.port, board) },
            logger: logger)
        try await application.run()
    }
}

/// Why the events of the board cannot be recorded.
private struct RecordingProblem: Error, CustomStringConvertible {
    let path: String
    let error: SystemError

    var description: String { "cannot record to \(path): \(error)" }
}
