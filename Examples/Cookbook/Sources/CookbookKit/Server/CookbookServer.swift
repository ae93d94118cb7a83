import Hummingbird
package import Logging
import NIOCore
import ReactiveSignals
import ServerKit
import ServiceLifecycle

/// Serves the first and the third recipe: `/events` and `/health`.
package struct CookbookServer: Service {
    private let host: String
    private let port: Int
    private let logger: Logger
    private let onRunning: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - onRunning: Called with the port when the server accepts connections.
    package init(
        host: String = "127.0.0.1", port: Int, logger: Logger,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void
    ) {
        self.host = host
        self.port = port
        self.logger = logger
        self.onRunning = onRunning
    }

    package func run() async throws {
        let scheduler = QueueScheduler(name: "Cookbook")
        let ticks = SignalProducer.timer(interval: .seconds(1), on: scheduler)
        let uptime = Property(initial: 0, then: ticks.scan(0) { seconds, _ in seconds + 1 })
        let maintenance = MutableProperty(false)
        let events = EventStream(
            // On the property, not on its producer: each frame is made once, however many clients there are.
            uptime.map { ServerSentEvent(id: "\($0)", event: "uptime", data: "\($0) s").frame }, on: scheduler)
        let health = HealthPage([
            HealthCheck("clients", events.clients.map { $0 < 1_000 ? .passing : .failing("\($0) clients") }),
            HealthCheck("maintenance", maintenance.map { $0 ? .failing("in progress") : .passing }),
        ])

        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: HeadResponses())
        router.add(middleware: HostCheck(AllowedHosts([host])))
        router.get("/events") { request, _ in events.response(to: request) }
        router.get("/health") { request, _ in try health.response(to: request) }
        router.put("/maintenance") { _, _ in
            maintenance.value = true
            return HTTPResponse.Status.noContent
        }
        router.delete("/maintenance") { _, _ in
            maintenance.value = false
            return HTTPResponse.Status.noContent
        }
        let onRunning = onRunning
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) }, logger: logger)
        try await application.run()
    }
}
