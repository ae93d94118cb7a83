import ClusterTestSupport
import NATSServers
import ReactiveCluster
import ReactiveClusterNATS
import ReactiveClusterTesting
import ReactiveSignals
import Synchronization
import Testing

/// Connections to one server, or to three, each through a proxy that can break it.
private final class ServerEnvironment: TransportContractEnvironment {
    private let servers: [NATSServer]
    private let proxies = Mutex<[ObjectIdentifier: [Proxy]]>([:])
    private static let names = Atomic(0)

    var replicas: Int { servers.count }

    init(_ servers: [NATSServer]) { self.servers = servers }

    deinit {
        for proxy in proxies.withLock({ $0.values.flatMap { $0 } }) { proxy.close() }
    }

    func uniqueName() -> String { "name\(Self.names.add(1, ordering: .relaxed).newValue)" }

    func connect(_ name: String) async throws -> any Transport {
        let own = try servers.map { try Proxy(to: $0) }
        var options = options(own.map(\.address))
        options.name = name
        options.reconnectDelay = .init(minimum: .milliseconds(10), maximum: .milliseconds(50))
        // A watch that is opened again for want of a heartbeat reports its snapshot again.
        options.heartbeat = .seconds(5)
        let transport = try await NATSTests.connect(options)
        proxies.withLock { $0[ObjectIdentifier(transport)] = own }
        return transport
    }

    func eventually(_ condition: @Sendable () async throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(2))
        }
        return try await condition()
    }

    // check-waits: the contract waits for what must not arrive.
    func pause() async { try? await Task.sleep(for: .milliseconds(300)) }

    func interrupt(_ transport: any Transport) async throws {
        let own = proxies.withLock { $0[ObjectIdentifier(transport)] ?? [] }
        for proxy in own { proxy.set(.refuses) }
        try await NATSTests.eventually { !transport.connection.value.isConnected }
        for proxy in own { proxy.set(.works) }
    }
}

@Suite("The transport over NATS", .serialized)
struct ContractTests {
    @Test("follows the contract of transports with one server", arguments: TransportContract.checks)
    func oneServer(_ check: TransportContract.Check) async throws {
        try await check.run(in: ServerEnvironment([SharedServers.one()]))
    }

    @Test("follows the contract of transports with three replicas", arguments: TransportContract.checks)
    func threeServers(_ check: TransportContract.Check) async throws {
        try await check.run(in: ServerEnvironment(SharedServers.three().servers))
    }
}

/// Servers for all checks, because starting them takes longer than most of the checks.
private enum SharedServers {
    private static let task = Task { try await NATSServer.start() }
    private static let cluster = Task {
        // Clients must not go around the proxies.
        var settings = NATSServer.Settings()
        settings.advertises = false
        return try await NATSCluster.start(settings)
    }

    static func one() async throws -> NATSServer { try await task.value }
    static func three() async throws -> NATSCluster { try await cluster.value }
}
