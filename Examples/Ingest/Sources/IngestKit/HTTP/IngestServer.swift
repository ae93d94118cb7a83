package import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ReactiveServer
import ReactiveSignals
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
    package var database = "ingest.sqlite"
    package var limits = Limits()
    /// The header in which a trusted proxy names the client; `nil` to use its address.
    package var clientHeader: HTTPField.Name?
    /// Called after each commit, before its requests are answered: a simulated slow disk.
    package var afterCommit: @Sendable () -> Void = {}
    /// The maximum number of connections. Further ones wait to be accepted.
    package var connections = 10_000

    package init() {}
}

/// The intake and the HTTP server, as a service.
///
/// On shutdown, it accepts no more requests, answers the running ones, saves what was accepted, and closes the
/// database.
package struct IngestServer: Service {
    private let settings: ServerSettings
    private let logger: Logger
    private let onRunning: @Sendable (_ port: Int) -> Void
    private let onStopped: @Sendable (Intake.Counts) -> Void

    /// - Parameters:
    ///   - onRunning: Called once the server accepts connections.
    ///   - onStopped: Called with the final counts after a shutdown, when the database has been closed.
    package init(
        _ settings: ServerSettings, logger: Logger, onRunning: @escaping @Sendable (_ port: Int) -> Void = { _ in },
        onStopped: @escaping @Sendable (Intake.Counts) -> Void = { _ in }
    ) {
        self.settings = settings
        self.logger = logger
        self.onRunning = onRunning
        self.onStopped = onStopped
    }

    package func run() async throws {
        let store = try MeasurementStore(path: settings.database, afterCommit: settings.afterCommit)
        let disk = QueueScheduler(name: "Ingest.disk")
        let intake = Intake(settings.limits, on: disk) { batch throws(StorageFailure) in try store.insert(batch) }
        // One entry for all measurements that cannot be saved, and not one for each.
        intake.failure.producer.skipRepeats { ($0 == nil) == ($1 == nil) }.skip(first: 1)
            .startWithNext { [logger] failure in
                if let failure {
                    logger.error("Measurements cannot be saved.", metadata: ["error": "\(failure)"])
                } else {
                    logger.notice("Measurements are saved again.")
                }
            }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await serve(intake, store))
        } catch {
            outcome = .failure(error)
        }
        // Also after an error. The task is not cancelled with this one, so that what was accepted is saved.
        try await Task {
            await intake.close()
            try store.close()
        }.value
        try outcome.get()
        onStopped(intake.counts)
    }

    private func serve(_ intake: Intake, _ store: MeasurementStore) async throws {
        let limits = settings.limits
        let limiter = RateLimiter.Keyed<String>(
            limits.rate, per: limits.period, maxKeys: limits.clients, on: QueueScheduler(name: "Ingest.limits"))
        let routes = Routes(
            intake: intake, store: store, limiter: limiter, clientHeader: settings.clientHeader,
            hosts: AllowedHosts(settings.allowedHosts + [settings.host]))
        let (port, onRunning) = (settings.port, onRunning)
        let application = Application(
            router: routes.router(),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    idleTimeout: .seconds(30),
                    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                        maxHeaderFieldSize: 4_096, maxHeaderListSize: 8_192, maxHeaderFieldCount: 50))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: port), serverName: "Ingest", backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(settings.connections)),
            onServerRunning: { channel in onRunning(channel.localAddress?.port ?? port) },
            logger: logger)
        try await application.run()
    }
}
