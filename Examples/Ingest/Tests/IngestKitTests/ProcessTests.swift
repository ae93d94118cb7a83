import ArgumentParser
import Foundation
import IngestKit
import Testing

@Suite("The program", .timeLimit(.minutes(15)))
struct ProcessTests {
    private static let server = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
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
