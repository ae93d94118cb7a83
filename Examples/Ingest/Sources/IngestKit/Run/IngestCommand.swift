package import ArgumentParser
import Foundation
import HTTPTypes
import Logging
import ReactiveSignals
import ServerKit
import ServiceLifecycle
import UnixSignals

/// The arguments of the command line, and the program.
package struct IngestCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "Ingest",
        abstract: "Takes measurements over HTTP, and saves them in SQLite.",
        discussion: """
            Ingest prints its address when it is ready. Send it measurements with POST:

              curl -i http://127.0.0.1:8080/measurements --json '{"sensor": "boiler", "value": 71.5}'

            A response of 201 means that the measurement is on the disk. Ctrl-C or SIGTERM shuts Ingest down: it \
            answers the running requests, saves what it has accepted, and closes the database.
            """)

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    // `.unconditional`, so that a negative number is a value and not an option.
    @Option(parsing: .unconditional, help: ArgumentHelp("The port to listen on; 0 selects a free one.", valueName: "n"))
    var port = 8080

    @Option(
        help: ArgumentHelp(
            """
            A host name that requests can use besides IP addresses, localhost and --host, such as the name of a proxy; \
            * allows every name. Can be repeated.
            """, valueName: "name"))
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("The SQLite database. It is created if it does not exist.", valueName: "path"))
    var database = "ingest.sqlite"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many measurements a client can send per second.", valueName: "n"))
    var rate = 100

    @Option(
        help: ArgumentHelp(
            "The header in which a trusted proxy names the client. By default, the client is its address.",
            valueName: "name"))
    var clientHeader: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many measurements can wait to be saved. More are refused with 503.", valueName: "n"))
    var queue = 2_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many measurements are written in one transaction.", valueName: "n"))
    var batch = 500

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many milliseconds a measurement waits for others, before a smaller batch is written.",
            valueName: "ms"))
    var delay = 20

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Simulates a slow disk: each transaction takes this many milliseconds longer.", valueName: "ms"))
    var slowDisk = 0

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
        try check("port", port, in: 0...65_535)
        try check("rate", rate, in: 1...1_000_000)
        try check("queue", queue, in: 1...1_000_000)
        try check("batch", batch, in: 1...100_000)
        try check("delay", delay, in: 1...60_000)
        try check("slow-disk", slowDisk, in: 0...60_000)
        if let clientHeader, HTTPField.Name(clientHeader) == nil {
            throw ValidationError("--client-header must be the name of an HTTP header, not \(clientHeader).")
        }
    }

    private func check(_ name: String, _ value: Int, in range: ClosedRange<Int>) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "--\(name) must be a number from \(range.lowerBound) to \(range.upperBound), not \(value).")
        }
    }

    private var settings: ServerSettings {
        var settings = ServerSettings()
        settings.host = host
        settings.port = port
        settings.allowedHosts = allowHost
        settings.database = database
        settings.limits.rate = rate
        settings.limits.queue = queue
        settings.limits.batch = batch
        settings.limits.delay = .milliseconds(delay)
        settings.clientHeader = clientHeader.flatMap { HTTPField.Name($0) }
        let slowness = Double(slowDisk) / 1_000
        if slowness > 0 { settings.afterCommit = { Thread.sleep(forTimeInterval: slowness) } }
        // Some descriptors are left for the database and the event loops. Without a free one, accepting would fail.
        settings.connections = max(1, min(settings.connections, Descriptors.raiseLimit() - 64))
        return settings
    }

    package func run() async throws {
        // Logs go to standard error, so that scripts can read the address from standard output.
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: "Ingest")
        logger.logLevel = logLevel
        let host = host.contains(":") ? "[\(host)]" : host
        let server = IngestServer(
            settings, logger: logger,
            onRunning: { port in
                print("Ingest: http://\(host):\(port)/measurements (Ctrl-C stops it)")
                fflush(nil)
            },
            onStopped: { counts in
                let measurements = counts.accepted == 1 ? "measurement" : "measurements"
                print("Ingest: \(counts.accepted) \(measurements) accepted, \(counts.saved) saved")
                fflush(nil)
            })
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
