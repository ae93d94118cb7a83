package import ArgumentParser
import Foundation
import Logging
import NIOCore
import ReactiveSignals
import ServiceLifecycle
import UnixSignals

/// The command line.
package struct LiveBoardCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "LiveBoard",
        abstract: "A team's incident board that browsers follow live.",
        discussion: """
            Ctrl-C, or SIGTERM, shuts it down: what is under way is finished, every stream is ended, and the database \
            is closed. What was acknowledged to anybody survives anything, also kill -9.
            """)

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port to listen on; 0 for any that is free.", valueName: "n"))
    var port = 8080

    @Option(
        help: ArgumentHelp(
            "A name by which browsers may reach it, beside addresses, localhost and --host; * for any. May be given several times.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("The SQLite database, made if it is missing.", valueName: "path"))
    var database = "liveboard.sqlite"

    @Option(help: ArgumentHelp("How many events to keep in memory for clients that come back.", valueName: "n"))
    var replay = 1_000

    @Option(help: ArgumentHelp("How many events may wait for a slow client.", valueName: "n"))
    var buffer = 256

    @Option(
        help: ArgumentHelp(
            "What to log: trace, debug, info, notice, warning, error or critical.", valueName: "level"),
        transform: { name in
            guard let level = Logger.Level(rawValue: name) else { throw ValidationError("There is no such level.") }
            return level
        })
    var logLevel = Logger.Level.notice

    package init() {}

    package func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port wants a number from 0 to 65535.") }
        guard (1...1_000_000).contains(replay) else {
            throw ValidationError("--replay wants a number from 1 to 1000000.")
        }
        guard (1...1_000_000).contains(buffer) else {
            throw ValidationError("--buffer wants a number from 1 to 1000000.")
        }
    }

    package func run() async throws {
        DescriptorLimit.raise()
        // Standard output is for the address, so that scripts can read it.
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: "LiveBoard")
        logger.logLevel = logLevel
        var settings = ServerSettings()
        settings.host = host
        settings.port = port
        settings.allowedHosts = allowHost
        settings.database = database
        settings.replay = replay
        settings.buffer = buffer
        let host = host.contains(":") ? "[\(host)]" : host
        let server = BoardServer(settings, logger: logger) { port, _ in
            print("LiveBoard: http://\(host):\(port) (Ctrl-C stops it)")
            fflush(nil)
        }
        var configuration = ServiceGroupConfiguration(
            services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // Nobody waits for ever for a client that does not take its answer.
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ValidationError("Something else listens on port \(port) already. Another one: --port 0.")
        }
    }
}
