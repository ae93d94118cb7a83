import ClusterTestSupport
import Foundation
import NATSServers
import ReactiveCluster
import ReactiveClusterNATS
import Synchronization

/// Options for tests: quick to connect again, and patient with a server that a busy machine keeps waiting.
///
/// - Parameter pingInterval: Short where a test waits until silence is noticed.
func options(_ addresses: [String], pingInterval: Duration = .seconds(20)) -> NATSOptions {
    var options = NATSOptions(servers: addresses)
    options.reconnectDelay = .init(minimum: .milliseconds(20), maximum: .milliseconds(200))
    options.pingInterval = pingInterval
    options.connectTimeout = .seconds(1)
    return options
}

func connect(_ server: NATSServer) async throws -> NATSTransport { try await connect(options([server.address])) }

func connect(_ options: NATSOptions) async throws -> NATSTransport {
    try await NATSTransport.connect(options, timeout: patience)
}

/// Collects what handlers receive, and lets a test wait for it.
final class Collector<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    var values: [Value] { state.withLock { $0 } }

    func add(_ value: Value) { state.withLock { $0.append(value) } }

    /// Waits until what has been collected satisfies a condition.
    func wait(
        _ timeout: Duration = patience, until condition: ([Value]) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + timeout
        while !condition(values) {
            guard ContinuousClock.now < deadline else { throw Timeout(seen: "\(values.suffix(20))") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

struct Timeout: Error, CustomStringConvertible {
    var seen: String
    var description: String { "timed out; collected last: \(seen)" }
}

/// Waits until a condition holds.
func eventually(_ timeout: Duration = patience, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + timeout
    while !(try await condition()) {
        guard ContinuousClock.now < deadline else { throw Timeout(seen: "a condition that does not hold") }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Repeats a call while its error is one that passes.
func repeating<Result>(
    _ timeout: Duration = patience, _ body: () async throws -> Result
) async throws -> Result {
    let deadline = ContinuousClock.now + timeout
    while true {
        do { return try await body() } catch let error as TransportError {
            guard error.isTransient || error == .noStorage, ContinuousClock.now < deadline else { throw error }
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Reads entries until there are `count`.
func read(_ count: Int, from cursor: any TransportCursor) async throws -> [StreamEntry] {
    var entries: [StreamEntry] = []
    while entries.count < count { entries += try await cursor.next(upTo: count - entries.count) }
    return entries
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func bytes(_ number: Int) -> [UInt8] { Array("\(number)".utf8) }

/// Another program of this package, in its own process. It is killed when this object is released.
final class HelperProcess: @unchecked Sendable {
    // Sendable: one task uses it.
    private let process = Process()
    private let input: Pipe
    private let output: Pipe

    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: program)
        process.arguments = arguments
        (input, output) = try process.startWithPipes()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// The next line of its output, or `nil` at the end.
    func nextLine() async -> String? { await onThread { self.readLine() } }

    /// The exit status.
    func ended() async -> Int32 {
        await onThread {
            self.process.waitUntilExit()
            return self.process.terminationStatus
        }
    }

    private func readLine() -> String? {
        var line: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
