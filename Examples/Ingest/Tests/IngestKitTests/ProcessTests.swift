import ArgumentParser
import Foundation
import IngestKit
import ServerKitTesting
import Testing

@Suite("The program", .patient)
struct ProcessTests {
    private static let server = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
    private static let prlimit = "/usr/bin/prlimit"
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a program until it exits. Returns its exit status and its output.
    private static func run(_ path: String, _ arguments: [String]) async throws -> (status: Int32, text: String) {
        // On its own thread, because it blocks.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        process.executableURL = URL(fileURLWithPath: path)
                        process.arguments = arguments
                        let output = Pipe()
                        process.standardOutput = output
                        process.standardError = output
                        try process.run()
                        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
                        process.waitUntilExit()
                        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
                    })
            }
        }
    }

    @Test("loses nothing under a load beyond its disk, when it is stopped and when it is killed")
    func load() async throws {
        // A short version of the load test. Its memory is not flat yet after two seconds.
        let (status, text) = try await Self.run(
            Self.package.appending(path: "Scripts/load-test").path,
            [
                "--server", "\(Self.server)/Ingest", "--connections", "200", "--seconds", "4", "--queue", "100",
                "--batch", "50", "--slow-disk", "100", "--growth", "16",
            ])
        #expect(status == 0, "\(text)")
    }

    @Test(
        "saves again when there is room on a disk that was full, and loses nothing that it acknowledged",
        .enabled(if: FileManager.default.isExecutableFile(atPath: prlimit)))
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        let database = folder.path("ingest.sqlite")
        // The limit of a file stands for the size of the disk. Without a handler, the signal would end the process.
        let program = try RunningServer(
            shell: "trap '' XFSZ; ulimit -S -f 200; exec \"$0\" \"$@\"",
            ["\(Self.server)/Ingest", "--port", "0", "--database", database, "--rate", "1000000"])
        let port = program.port
        let sensor = String(repeating: "x", count: 100)
        func post() async throws -> Int {
            try await onThread {
                try Answer.to(
                    "POST", "/measurements", json: #"{"sensor":"\#(sensor)","value":1}"#, port: port
                ).status
            }
        }
        func health() async throws -> Int {
            try await onThread { try Answer.to("GET", "/health", port: port).status }
        }
        var saved = 0
        var status = 201
        while status == 201, saved < 10_000 {
            status = try await post()
            if status == 201 { saved += 1 }
        }
        #expect(status == 500)
        #expect(try await health() == 503)
        for _ in 0..<5 { #expect(try await post() == 500) }
        let (limit, text) = try await Self.run(
            Self.prlimit, ["--pid", "\(program.identifier)", "--fsize=unlimited"])
        try #require(limit == 0, "\(text)")
        #expect(try await health() == 200)
        #expect(try await post() == 201)
        let (exit, log) = try await program.stop()
        #expect(exit == 0)
        #expect(log.split(separator: "\n").count == 2, "\(log)")
        let store = try MeasurementStore(path: database)
        defer { try? store.close() }
        #expect(try store.all().count == saved + 1)
    }

    @Test("exits with 1 and one line if the database cannot be opened")
    func database() async throws {
        let folder = try TemporaryFolder()
        let missing = folder.path("none/ingest.sqlite")
        let (status, text) = try await Self.run("\(Self.server)/Ingest", ["--port", "0", "--database", missing])
        #expect(status == 1)
        #expect(
            text == """
                Error: cannot open the database \(missing): unable to open database file; choose another one with \
                --database

                """)
        let other = folder.path("text")
        try String(repeating: "no database ", count: 100).write(toFile: other, atomically: true, encoding: .utf8)
        #expect(throws: DatabaseProblem.self) { try MeasurementStore(path: other) }
    }

    @Test(
        "refuses invalid arguments, and says which values are valid",
        arguments: [
            ["--port", "70000"], ["--rate", "0"], ["--queue", "-1"], ["--batch", "0"], ["--delay", "0"],
            ["--slow-disk", "-5"], ["--client-header", "a b"],
        ])
    func arguments(_ arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try IngestCommand.parseAsRoot(arguments) }
        let message = error.map { IngestCommand.message(for: $0) } ?? ""
        #expect(message.hasPrefix("\(arguments[0]) must be "))
        #expect(message.hasSuffix("not \(arguments[1])."))
    }

    @Test("refuses a log level that does not exist")
    func logLevel() {
        #expect(throws: (any Error).self) { try IngestCommand.parseAsRoot(["--log-level", "loud"]) }
    }
}

/// A server in a process of its own.
private final class RunningServer: Sendable {
    private let process = Process()
    private let errors = Pipe()
    let port: Int

    var identifier: Int32 { process.processIdentifier }

    /// Runs a script with the arguments `$0`, `$1` and so on, which becomes the server, and waits for its address.
    init(shell: String, _ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", shell] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        let text = String(decoding: line, as: UTF8.self)
        guard let port = text.firstMatch(of: #/127\.0\.0\.1:(\d+)/#).flatMap({ Int($0.1) }) else {
            throw Missing(what: "an address: \(text)")
        }
        self.port = port
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Stops the server gracefully. Returns its exit status and its log.
    func stop() async throws -> (status: Int32, log: String) {
        try await onThread { [self] in
            process.terminate()
            let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
        }
    }
}
