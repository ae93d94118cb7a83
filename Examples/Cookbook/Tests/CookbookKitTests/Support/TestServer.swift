import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// A real server on a free port, for the duration of a test.
struct TestServer: Sendable {
    let port: Int
    private let group: ServiceGroup

    /// Runs a server with some routes, calls `body`, and shuts the server down gracefully.
    static func run(
        routes: (Router<BasicRequestContext>) -> Void, _ body: (TestServer) async throws -> Void
    ) async throws {
        let router = Router()
        routes(router)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (ports, input) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { input.yield(port) }
            }, logger: logger)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
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
    }

    func shutDown() async { await group.triggerGracefulShutdown() }
}
