package import ArgumentParser
import Foundation
import Logging
import Metrics
import ReactiveSignals
import ReactiveSignalsPrometheus
import ReactiveSignalsTop
import ServerKit
import ServiceLifecycle
import UnixSignals

/// The arguments of the command line, and the program.
package struct LiveBoardCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "LiveBoard",
        abstract: "Serves a team's incident board that browsers follow live.",
        discussion: """
            LiveBoard prints its address when it is ready. Open it in a browser.

            Ctrl-C or SIGTERM shuts LiveBoard down: it finishes the running requests, ends every stream, and closes \
            the database. A change that was confirmed to a client is never lost, not even by kill -9.
            """)

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port to listen on; 0 selects a free one.", valueName: "n"))
    var port = 8080

    @Option(
        help: ArgumentHelp(
            """
            A host name that browsers can use besides IP addresses, localhost and --host, such as the name of a proxy; \
            * allows every name. Can be repeated.
            """, valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The SQLite database. It is created if it does not exist. (default: liveboard.sqlite; with --cluster \
            liveboard-PORT.sqlite)
            """, valueName: "path"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            Records the events of the board in a file, which must not exist, until it has 100 MB, for a test to \
            replay them.
            """, valueName: "path"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            """
            The servers of NATS, separated by commas, over which all LiveBoards with the same servers share one board. \
            Needs a build with --traits Cluster.
            """, valueName: "addresses"))
    var cluster: String?

    @Option(help: ArgumentHelp("How many servers of the cluster store each event: 1, 3 or 5.", valueName: "n"))
    var replicas = 1

    @Option(help: ArgumentHelp("How many events to keep in memory for clients that reconnect.", valueName: "n"))
    var replay = 1_000

    @Option(
        help: ArgumentHelp(
            "How many events can wait for a slow client before it has to reconnect.", valueName: "n"))
    var buffer = 256

    @Flag(help: "Let signals-top show what the streams do, through a socket that only this user can open.")
    var top = false

    @Option(
        help: ArgumentHelp(
            "The lowest level to log: trace, debug, info, notice (the default), warning, error or critical.",
            valueName: "level"),
        transform: { name in
            guard let level = Logger.Level(rawValue: name) else {
                throw ValidationError("Use trace, debug, info, notice, warning, error or critical.")
            }
            return level
        })
    var logLevel = Logger.Level.notice

    package init() {}

    package func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be a number from 0 to 65535, not \(port).")
        }
        guard [1, 3, 5].contains(replicas) else {
            throw ValidationError("--replicas must be 1, 3 or 5, not \(replicas).")
        }
        guard (1...1_000_000).contains(replay) else {
            throw ValidationError("--replay must be a number from 1 to 1000000, not \(replay).")
        }
        guard (1...1_000_000).contains(buffer) else {
            throw ValidationError("--buffer must be a number from 1 to 1000000, not \(buffer).")
        }
    }

    package func run() async throws {
        // First, because it shows only streams that are created after it.
        let topServer = try top ? TopServer.open() : nil
        defer { topServer?.close() }
        DescriptorLimit.raise()
        // Logs go to standard error, so that scripts can read the address from standard output.
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let prometheus = PrometheusMetrics()
        MetricsSystem.bootstrap(prometheus)
        var logger = Logger(label: "LiveBoard")
        logger.logLevel = logLevel
        var settings = ServerSettings()
        settings.host = host
        settings.port = port
        settings.allowedHosts = allowHost
        settings.database = database ?? (cluster == nil ? "liveboard.sqlite" : "liveboard-\(port).sqlite")
        settings.recording = record
        settings.cluster = cluster?.split(separator: ",").map { String($0) } ?? []
        settings.replicas = replicas
        settings.replay = replay
        settings.buffer = buffer
        let host = host.contains(":") ? "[\(host)]" : host
        let server = BoardServer(settings, logger: logger, prometheus: prometheus) { port, _ in
            print("LiveBoard: http://\(host):\(port) (Ctrl-C stops it)")
            if topServer != nil { print("LiveBoard: signals-top \(getpid()) shows what the streams do") }
            fflush(nil)
        }
        var configuration = ServiceGroupConfiguration(
            services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // A client that does not read its response cannot delay the shutdown any longer.
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            if let problem = ListenProblem(error, host: self.host, port: port) { throw problem }
            throw error
        }
    }
}
