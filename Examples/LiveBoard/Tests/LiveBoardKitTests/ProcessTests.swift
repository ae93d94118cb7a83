import ArgumentParser
import Foundation
import LiveBoardKit
import NIOConcurrencyHelpers
import ReactiveSignals
import Testing

@Suite("The program")
struct ProcessTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("loses nothing that it has acknowledged when it is killed, time and again")
    func kill() async throws {
        let path = folder.path("board.sqlite")
        var acknowledged: [Int: String] = [:]
        for round in 0..<4 {
            let program = try await RunningProgram(["--port", "0", "--database", path])
            let port = program.port
            let done = try await withThrowingTaskGroup(of: [Int: String].self) { group in
                let count = NIOLockedValueBox(0)
                for client in 0..<4 {
                    group.addTask {
                        try await onThread {
                            var done: [Int: String] = [:]
                            let wire = try Wire(port: port)
                            for number in 0... {
                                let title = "round \(round), client \(client), \(number)"
                                let json = #"{"title":"\#(title)","severity":"low","reporter":"Ann"}"#
                                guard wire.send(Answer.request("POST", "/api/incidents", json: json)),
                                    let answer = try? Answer(wire), answer.status == 201,
                                    let event = try? answer.decoded(BoardEvent.self)
                                else { break }
                                done[event.sequence] = title
                                // In the middle of the work of the others.
                                if count.withLockedValue({
                                    $0 += 1
                                    return $0
                                }) == 60 {
                                    program.send(SIGKILL)
                                }
                            }
                            return done
                        }
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
            }
            #expect(await program.ended() == -SIGKILL)
            #expect(done.count >= 60)
            acknowledged.merge(done) { first, _ in first }
        }
        let board = try Board(path: path)
        let state = board.state.value
        for (sequence, title) in acknowledged { #expect(state.incident(sequence)?.title == title) }
        #expect(state.counts == state.recounted)
        try await board.close()
    }

    @Test("ends with 0 when it is told to, and every stream has its end", arguments: [SIGTERM, SIGINT])
    func signals(signal: Int32) async throws {
        let program = try await RunningProgram(["--port", "0", "--database", folder.path("board.sqlite")])
        let port = program.port
        let stream = try await onThread { try EventReader(port: port) }
        #expect(try await onThread { try stream.next() }?.snapshot != nil)
        program.send(signal)
        let last = try await onThread {
            var last: Message?
            while let message = try stream.nextOfAny() { last = message }
            return last
        }
        #expect(last?.comment == "the server is shutting down")
        #expect(await program.ended() == 0)
    }

    @Test("says so and fails when another one uses the database or the port")
    func taken() async throws {
        let path = folder.path("board.sqlite")
        let program = try await RunningProgram(["--port", "0", "--database", path])
        let refusal = await #expect(throws: Missing.self) {
            try await RunningProgram(["--port", "0", "--database", path])
        }
        #expect(refusal?.what.contains("another process is using this database") == true)
        // Nor can two listen on one port.
        let other = folder.path("other.sqlite")
        let second = await #expect(throws: Missing.self) {
            try await RunningProgram(["--port", "\(program.port)", "--database", other])
        }
        #expect(second?.what.contains("Something else listens on port \(program.port) already.") == true)
        program.send(SIGTERM)
        #expect(await program.ended() == 0)
    }

    @Test("ends with 1 and one line when the database cannot be opened")
    func unusable() async throws {
        let path = folder.path("none/board.sqlite")
        let (status, text) = try await RunningProgram.failure(["--port", "0", "--database", path])
        #expect(status == 1)
        #expect(text == "Error: cannot open the database \(path): No such file or directory\n")
    }

    @Test("leaves room for descriptors, so that it never has none left to accept with")
    func descriptors() async throws {
        let limit = 128
        let program = try await RunningProgram(
            ["--port", "0", "--database", folder.path("board.sqlite")], descriptors: limit)
        let port = program.port
        try await onThread {
            // More than it may have; the rest waits in the system's queue.
            var wires = try (0..<limit + 50).map { _ in try Wire(port: port) }
            // Those that it has accepted are answered, often enough that it would have accepted more meanwhile.
            for _ in 0..<20 {
                for wire in wires[..<ServerSettings().connectionLimit(descriptors: limit)] {
                    wire.send(Answer.request("GET", "/health"))
                    guard try Answer(wire)?.status == 200 else { throw Missing(what: "an answer") }
                }
            }
            let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.identifier)/fd").count
            #expect(used < limit - 8, "some are left")
            // Whoever waits gets its turn when others go.
            let last = wires.removeLast()
            wires.removeAll()
            last.send(Answer.request("GET", "/health"))
            #expect(try Answer(last)?.status == 200)
        }
        program.send(SIGTERM)
        #expect(await program.ended() == 0)
    }

    @Test(
        "accepts fewer connections than there are descriptors",
        arguments: [(1_048_576, 10_000), (2_500, 2_344), (1_024, 960), (128, 64), (64, 1), (0, 1)])
    func connectionLimit(_ descriptors: Int, _ expected: Int) {
        #expect(ServerSettings().connectionLimit(descriptors: descriptors) == expected)
    }

    @Test(
        "refuses arguments that make no sense",
        arguments: [
            ["--port", "-1"], ["--port", "70000"], ["--replay", "0"], ["--buffer", "0"], ["--log-level", "loud"],
        ])
    func arguments(arguments: [String]) {
        #expect(throws: (any Error).self) { try LiveBoardCommand.parseAsRoot(arguments) }
    }
}

/// The program in a process of its own.
final class RunningProgram: Sendable {
    let port: Int
    let identifier: Int32
    private let process: NIOLockedValueBox<Process>
    private let end: Task<Int32, Never>

    private static var executable: String {
        "\(Bundle.main.executableURL?.deletingLastPathComponent().path ?? ".")/LiveBoard"
    }

    /// The exit code of a program that does not get as far as to tell its address, and all that it writes.
    static func failure(_ arguments: [String]) async throws -> (status: Int32, text: String) {
        try await onThread {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: executable)
            process.arguments = arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }
    }

    /// Returns when it has told its address.
    ///
    /// - Parameter descriptors: How many it may have; as many as the test if nil.
    init(_ arguments: [String], descriptors: Int? = nil) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.executable)
        process.arguments = arguments
        if let descriptors {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", Self.executable] + arguments
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let (ended, input) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            input.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
            input.finish()
        }
        try process.run()
        end = Task { await ended.first { _ in true } ?? -1 }
        self.process = NIOLockedValueBox(process)
        let reader = output.fileHandleForReading
        let text = try await onThread { () -> String in
            var text = ""
            while !text.contains("\n") {
                let data = reader.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }
        guard text.hasPrefix("LiveBoard: http://127.0.0.1:"),
            let port = Int(text.dropFirst("LiveBoard: http://127.0.0.1:".count).prefix { $0.isNumber })
        else { throw Missing(what: "an address: \(text)") }
        self.port = port
        identifier = process.processIdentifier
    }

    func send(_ signal: Int32) { process.withLockedValue { _ = Glibc.kill($0.processIdentifier, signal) } }

    /// The exit code, or the number of the signal that has ended it, negative.
    func ended() async -> Int32 { await end.value }
}
