import Hummingbird
import HummingbirdCore
package import Logging
package import Metrics
import NIOCore
import ReactiveSignals
import ServiceLifecycle

/// How a server is to behave.
package struct ServerSettings: Sendable {
    package var host = "127.0.0.1"
    /// 0 for any that is free.
    package var port = 8080
    /// The names that requests may use for this server, beside addresses, `localhost` and ``host``; `*` for any.
    package var allowedHosts: [String] = []
    /// The database.
    package var database = "liveboard.sqlite"
    /// How many of the latest events are kept in memory for clients that come back. At least 1.
    package var replay = 1_000
    /// How many events may wait for a client that is slow. At least 1.
    package var buffer = 256
    package var heartbeat: Duration = .seconds(15)
    /// How long the head of a request may take, and how long a connection may have none.
    package var idleTime: Duration = .seconds(30)
    /// How long the rest of a request may take.
    package var bodyTime: Duration = .seconds(10)
    /// How long a client may take nothing of what it is sent.
    package var stallTime: Duration = .seconds(30)
    /// How many connections there may be; more wait to be accepted. Fewer, if the process may not have as many descriptors.
    package var connections = 10_000

    package init() {}

    /// How many connections are accepted by a process with so many descriptors.
    ///
    /// With none left, accepting fails, and SwiftNIO's server channel then tries again at once, for ever, on a thread that other
    /// connections need. So some are kept for all else: the database, its journal and readers, event loops, and connections that
    /// are accepted in one go with the last one.
    package func connectionLimit(descriptors: Int) -> Int {
        max(1, min(connections, descriptors - max(64, descriptors / 16)))
    }
}

/// The board as a service: the database, and the server before it.
///
/// Told to shut down, it accepts nothing more, lets the requests under way finish, ends every stream, and then
/// closes the database.
package struct BoardServer: Service {
    private let settings: ServerSettings
    private let logger: Logger
    private let metrics: any MetricsFactory
    private let onRunning: @Sendable (_ port: Int, Board) async -> Void

    /// - Parameter onRunning: Called when the server accepts connections.
    package init(
        _ settings: ServerSettings, logger: Logger, metrics: any MetricsFactory = MetricsSystem.factory,
        onRunning: @escaping @Sendable (_ port: Int, Board) async -> Void = { _, _ in }
    ) {
        self.settings = settings
        self.logger = logger
        self.metrics = metrics
        self.onRunning = onRunning
    }

    package func run() async throws {
        let board = try Board(path: settings.database)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await serve(board))
        } catch {
            outcome = .failure(error)
        }
        // In any case, and after the last request. In a task that nobody cancels: it waits for what is being written.
        try await Task { try await board.close() }.value
        logger.info("The board is closed.", metadata: ["sequence": "\(board.state.value.sequence)"])
        try outcome.get()
    }

    private func serve(_ board: Board) async throws {
        let state = board.state.value
        logger.info(
            "The board is open.",
            metadata: [
                "database": "\(settings.database)", "sequence": "\(state.sequence)",
                "unresolved": "\(state.counts.unresolved)",
            ])
        let measures = Measures(metrics)
        measures.follow(board)
        let past = try await board.history(after: max(0, state.sequence - settings.replay), limit: settings.replay)
        let snapshots = SnapshotCache()
        let feed = Feed(board, past: past, settings, measures, snapshots)
        let routes = Routes(
            board: board, feed: feed, snapshots: snapshots, page: try Page(),
            hosts: AllowedHosts(settings.allowedHosts + [settings.host]))
        let settings = settings
        let onRunning = onRunning
        let connections = settings.connectionLimit(descriptors: DescriptorLimit.current)
        if connections < settings.connections {
            logger.info("Descriptors are few.", metadata: ["connections": "\(connections)"])
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
