import ClusterTestSupport
import Foundation
import NATSServers
import ReactiveCluster
import ReactiveClusterNATS
import ReactiveSignals
import Testing

@Suite("Bad input")
struct BadInputTests {
    @Test("says that there is no server")
    func noServer() async throws {
        let server = try await NATSServer.start()
        server.kill()
        let error = await #expect(throws: TransportError.self) {
            // check-waits: it runs into this timeout.
            try await NATSTransport.connect(options([server.address]), timeout: .seconds(2))
        }
        if case .noServer = error {} else { Issue.record("\(String(describing: error))") }
        #expect(throws: TransportError.self) { try NATSTransport(NATSOptions(servers: [])) }
    }

    @Test("connects once a server has started")
    func lateServer() async throws {
        let server = try await NATSServer.start()
        server.kill()
        let transport = try NATSTransport(options([server.address]))
        #expect(throws: TransportError.disconnected) { try transport.publish([], to: Subject("a")) }
        let heard = Collector<Int>()
        let subscription = try transport.subscribe(to: Subject("a")) {
            heard.add($0.byteCount)
        } failed: { _ in
        }
        try await server.start()
        try await transport.connected(timeout: patience)
        try await eventually {
            try transport.publish([1], to: Subject("a"))
            return !heard.values.isEmpty
        }
        subscription.dispose()
    }

    @Test("goes on trying while a server accepts connections and says nothing")
    func silentServer() async throws {
        let server = try await NATSServer.start()
        let proxy = try Proxy(to: server)
        proxy.set(.partitioned)
        let transport = try NATSTransport(options([proxy.address]))
        // It has waited in vain for one server once.
        let states = Collector<ConnectionState>()
        transport.connection.producer.startWithNext { states.add($0) }
        try await states.wait { $0.count > 1 }
        if case .disconnected = states.values[1] {} else { Issue.record("\(states.values)") }
        proxy.set(.works)
        try await transport.connected(timeout: patience)
        proxy.close()
    }

    @Test("says that the credentials are wrong")
    func credentials() async throws {
        var settings = NATSServer.Settings()
        settings.lines = ["authorization: { user: \"ada\", password: \"right\" }"]
        let server = try await NATSServer.start(settings)
        var wrong = options([server.address])
        wrong.credentials = .user("ada", password: "wrong")
        await #expect(throws: TransportError.badCredentials) { try await NATSTransport.connect(wrong) }
        await #expect(throws: TransportError.badCredentials) {
            try await NATSTransport.connect(options([server.address]))
        }
        var right = options([server.address])
        right.credentials = .user("ada", password: "right")
        let transport = try await connect(right)
        #expect(transport.connection.value.isConnected)
        var missing = options([server.address])
        missing.credentials = .file("/nonexistent/file")
        await #expect(throws: TransportError.self) {
            // check-waits: it may run into this timeout.
            try await NATSTransport.connect(missing, timeout: .milliseconds(500))
        }
    }

    @Test("says which subject is not permitted, and goes on")
    func permissions() async throws {
        var settings = NATSServer.Settings()
        settings.lines = [
            """
            authorization: { users: [ { user: "ada", password: "right", permissions: {
              publish: { deny: ["secret.>"] }, subscribe: { deny: ["secret.>"] } } } ] }
            """
        ]
        let server = try await NATSServer.start(settings)
        var right = options([server.address])
        right.credentials = .user("ada", password: "right")
        let transport = try await connect(right)
        let errors = Collector<TransportError>()
        _ = try transport.subscribe(to: Subject("secret.a")) { _ in
        } failed: {
            errors.add($0)
        }
        try await errors.wait { $0 == [.notPermitted("secret.a")] }
        await #expect(throws: TransportError.notPermitted("secret.b")) {
            try await transport.request([], to: Subject("secret.b"), timeout: patience)
        }
        #expect(transport.connection.value == .connected(1))
    }

    @Test("says that the server has no JetStream, and goes on")
    func noJetStream() async throws {
        var settings = NATSServer.Settings()
        settings.hasJetStream = false
        let server = try await NATSServer.start(settings)
        let transport = try await connect(server)
        await #expect(throws: TransportError.noStorage) {
            try await transport.stream(
                StreamConfiguration(name: ResourceName("events"), subject: Subject("events")))
        }
        await #expect(throws: TransportError.noStorage) {
            try await transport.bucket(BucketConfiguration(name: ResourceName("state")))
        }
        #expect(transport.connection.value.isConnected)
        try transport.publish([1], to: Subject("a"))
    }

    @Test("says how the configuration of a stream differs")
    func otherConfiguration() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        var configuration = StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events"))
        configuration.maximumEntries = 10
        _ = try await transport.stream(configuration)
        _ = try await transport.stream(configuration)
        configuration.maximumEntries = 20
        await #expect(
            throws: TransportError.configurationMismatch(
                name: "events", difference: "the greatest number of entries is 10, not 20")
        ) { try await transport.stream(configuration) }
        configuration = StreamConfiguration(
            name: try ResourceName("three"), subject: try Subject("three"), replicas: 3)
        let error = await #expect(throws: TransportError.self) { try await transport.stream(configuration) }
        #expect("\(String(describing: error))".contains("replicas"))
        _ = try await transport.bucket(BucketConfiguration(name: ResourceName("state")))
        await #expect(throws: TransportError.self) {
            try await transport.bucket(BucketConfiguration(name: ResourceName("state"), storage: .memory))
        }
    }

    @Test("says that a payload is too large, and goes on")
    func largePayload() async throws {
        var settings = NATSServer.Settings()
        settings.maximumPayload = 10_000
        let server = try await NATSServer.start(settings)
        let transport = try await connect(server)
        let stream = try await transport.stream(
            StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events")))
        let bucket = try await transport.bucket(BucketConfiguration(name: try ResourceName("state")))
        #expect(transport.maximumPayload == 10_000)
        let large = [UInt8](repeating: 0, count: 10_001)
        let expected = TransportError.payloadTooLarge(size: 10_001, limit: 10_000)
        #expect(throws: expected) { try transport.publish(large, to: Subject("a")) }
        await #expect(throws: expected) { try await transport.request(large, to: Subject("a"), timeout: patience) }
        await #expect(throws: expected) { try await stream.append(large, id: "x", expecting: nil) }
        await #expect(throws: expected) { try await bucket.put(large, for: BucketKey("key"), id: nil) }
        #expect(try await stream.append([1], id: nil, expecting: nil).sequence == 1)
        #expect(transport.connection.value == .connected(1))
    }

    @Test("says that the storage is full, and goes on")
    func fullStorage() async throws {
        var settings = NATSServer.Settings()
        settings.maximumStorage = 200_000
        let server = try await NATSServer.start(settings)
        let transport = try await connect(server)
        let stream = try await transport.stream(
            StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events")))
        let entry = [UInt8](repeating: 7, count: 10_000)
        var stored: UInt64 = 0
        let error = await #expect(throws: TransportError.self) {
            for _ in 0..<100 { stored = try await stream.append(entry, id: nil, expecting: nil).sequence }
        }
        if case .storageFull = error {} else { Issue.record("\(String(describing: error))") }
        #expect(stored > 5)
        #expect(try await read(Int(stored), from: stream.read(after: 0)).count == Int(stored))
        #expect(transport.connection.value == .connected(1))
    }

    @Test("survives a server whose disk is full, and goes on once it has room", .enabled(if: SmallDisk.isPossible))
    func fullDisk() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        var settings = NATSServer.Settings()
        settings.storage = disk.folder
        let server = try await NATSServer.start(settings)
        var quick = options([server.address])
        quick.requestTimeout = .seconds(3)
        let transport = try await connect(quick)
        let stream = try await transport.stream(
            StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events")))
        let entry = [UInt8](repeating: 7, count: 100_000)
        var stored: UInt64 = 0
        let error = await #expect(throws: TransportError.self) {
            for _ in 0..<200 { stored = try await stream.append(entry, id: nil, expecting: nil).sequence }
        }
        #expect(stored > 5)
        // Version 2.9.10 answers nobody any more. Others may refuse the entry.
        if case .storageFull = error {} else { #expect(error?.isOutcomeUnknown == true) }
        // Such a server must be restarted. This process goes on.
        server.kill()
        try disk.grow(megabytes: 64)
        try await server.start()
        let receipt = try await repeating { try await stream.append(bytes("after"), id: nil, expecting: nil) }
        let entries = try await repeating { try await read(Int(receipt.sequence), from: stream.read(after: 0)) }
        #expect(entries.dropLast().allSatisfy { $0.payload == entry })
        #expect(entries.last?.payload == bytes("after"))
        print("of \(stored) acknowledged entries, the server has \(entries.count - 1) after its disk was full")
    }

    @Test("trusts only the certificates it is told to trust")
    func tls() async throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "nats-tls-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder.path + "/key.pem", "-out",
            folder.path + "/cert.pem",
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.start()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
        var settings = NATSServer.Settings()
        settings.lines = ["tls: { cert_file: \"\(folder.path)/cert.pem\", key_file: \"\(folder.path)/key.pem\" }"]
        let server = try await NATSServer.start(settings)
        var trusting = options([server.address])
        trusting.tls = .init(trustedCertificates: folder.path + "/cert.pem")
        let transport = try await connect(trusting)
        #expect(transport.connection.value.isConnected)
        var other = options([server.address])
        other.tls = .init()
        // check-waits: it may run into these timeouts.
        await #expect(throws: TransportError.self) { try await NATSTransport.connect(other, timeout: .seconds(1)) }
        trusting.tls?.expectedHostname = "elsewhere"
        // check-waits: as above.
        await #expect(throws: TransportError.self) { try await NATSTransport.connect(trusting, timeout: .seconds(1)) }
    }
}

/// A file system in memory with little room. Only root can make one, and not in every container.
private final class SmallDisk: Sendable {
    let folder: URL

    static let isPossible: Bool = {
        guard getuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.remove()
        return true
    }()

    init(megabytes: Int) throws {
        folder = URL(filePath: NSTemporaryDirectory()).appending(path: "nats-disk-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path)
    }

    func grow(megabytes: Int) throws {
        try Self.run("mount", "-o", "remount,size=\(megabytes)m", folder.path)
    }

    func remove() {
        // Lazily, because a server may still have files open.
        try? Self.run("umount", "-l", folder.path)
        try? FileManager.default.removeItem(at: folder)
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.start()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
