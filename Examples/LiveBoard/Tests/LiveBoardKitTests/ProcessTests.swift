import ArgumentParser
import Foundation
import LiveBoardKit
import NIOConcurrencyHelpers
import ReactiveSignals
import ServerKitTesting
import Testing

extension DescriptorTests {
    @Suite("The program")
    struct ProcessTests {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        @Test("loses no confirmed change when it is killed repeatedly")
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
                                    // While the other clients are working.
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

        @Test("exits with 0 after a signal, and ends every stream", arguments: [SIGTERM, SIGINT])
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

        @Test("opens a socket for signals-top while it runs, if that is wanted")
        func top() async throws {
            let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
            let sockets = runtime.map { "\($0)/signals-top" } ?? "/tmp/signals-top-\(getuid())"
            for isWanted in [true, false] {
                let arguments = ["--port", "0", "--database", folder.path("\(isWanted).sqlite")]
                let program = try await RunningProgram(arguments + (isWanted ? ["--top"] : []))
                let socket = "\(sockets)/\(program.identifier).socket"
                #expect(FileManager.default.fileExists(atPath: socket) == isWanted)
                program.send(SIGTERM)
                #expect(await program.ended() == 0)
                #expect(!FileManager.default.fileExists(atPath: socket))
            }
        }

        @Test("fails with a message if the database or the port is in use")
        func taken() async throws {
            let path = folder.path("board.sqlite")
            let program = try await RunningProgram(["--port", "0", "--database", path])
            let refusal = await #expect(throws: Missing.self) {
                try await RunningProgram(["--port", "0", "--database", path])
            }
            #expect(refusal?.what.contains("another process is using this database") == true)
            // Two processes cannot listen on one port either.
            let other = folder.path("other.sqlite")
            let second = await #expect(throws: Missing.self) {
                try await RunningProgram(["--port", "\(program.port)", "--database", other])
            }
            #expect(second?.what.contains("cannot listen on port \(program.port): another program is using it") == true)
            program.send(SIGTERM)
            #expect(await program.ended() == 0)
        }

        @Test("exits with 1 and one line if the database cannot be opened")
        func unusable() async throws {
            let path = folder.path("none/board.sqlite")
            let (status, text) = try await RunningProgram.failure(["--port", "0", "--database", path])
            #expect(status == 1)
            #expect(text == "Error: cannot open the database \(path): No such file or directory\n")
        }

        @Test("exits with 1 and one line if it cannot listen on an address")
        func foreignAddress() async throws {
            // RFC 5737 reserves this address for documentation, so no machine has it.
            let arguments = ["--host", "192.0.2.1", "--port", "0", "--database", folder.path("board.sqlite")]
            let (status, text) = try await RunningProgram.failure(arguments)
            #expect(status == 1)
            #expect(
                text == """
                    Error: cannot listen on 192.0.2.1: it is not an address of this machine; choose another one with --host

                    """)
        }

        @Test("reserves descriptors, so that accepting never fails")
        func descriptors() async throws {
            let limit = 128
            let program = try await RunningProgram(
                ["--port", "0", "--database", folder.path("board.sqlite")], descriptors: limit)
            let port = program.port
            try await onThread {
                // More than it accepts. The others wait in the queue of the system.
                var wires = try (0..<limit + 50).map { _ in try Wire(port: port) }
                // Accepted ones get responses, in enough rounds to accept more if it could.
                for _ in 0..<20 {
                    for wire in wires[..<ServerSettings().connectionLimit(descriptors: limit)] {
                        wire.send(Answer.request("GET", "/health"))
                        guard try Answer(wire)?.status == 200 else { throw Missing(what: "an answer") }
                    }
                }
                let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.identifier)/fd").count
                #expect(used < limit - 8, "some are left")
                // Waiting connections are accepted when others close.
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
            "refuses invalid arguments",
            arguments: [
                ["--port", "-1"], ["--port", "70000"], ["--replay", "0"], ["--buffer", "0"], ["--log-level", "loud"],
            ])
        func arguments(arguments: [String]) {
            #expect(throws: (any Error).self) { try LiveBoardCommand.parseAsRoot(arguments) }
        }
    }
}

/// The program in its own process.
final class RunningProgram: Sendable {
    let port: Int
    let identifier: Int32
    private let process: NIOLockedValueBox<Process>
    private let end: Task<Int32, Never>

    private static var executable: String {
        "\(Bundle.main.executableURL?.deletingLastPathComponent().path ?? ".")/LiveBoard"
    }

    /// Runs the program until it exits. Returns its exit status and its output.
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

    /// Returns when the program has printed its address.
    ///
    /// - Parameter descriptors: The limit of descriptors; nil for that of the test.
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

    /// The exit status, or the negative number of the signal that ended the process.
    func ended() async -> Int32 { await end.value }
}
