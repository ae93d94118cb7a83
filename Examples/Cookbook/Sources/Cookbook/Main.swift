import ArgumentParser
import CookbookKit
import Logging
import ServerKit
import ServiceLifecycle
import UnixSignals

/// `swift run Cookbook`: serves the recipes that a person can try with `curl`.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Cookbook", abstract: "Serves /events and /health.", discussion: "Ctrl-C stops it.")

    @Option(help: "The port to listen on; 0 for any free port.")
    var port = 8080

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("The port must be between 0 and 65535.") }
    }

    func run() async throws {
        var logger = Logger(label: "Cookbook")
        logger.logLevel = .notice
        let server = CookbookServer(port: port, logger: logger) { port in
            print("Try: curl -N http://127.0.0.1:\(port)/events, or curl -i http://127.0.0.1:\(port)/health")
        }
        var configuration = ServiceGroupConfiguration(
            services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // Do not wait longer for a client that takes none of its response.
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            if let problem = ListenProblem(error, host: "127.0.0.1", port: port) { throw problem }
            throw error
        }
    }
}
