import FetcherKit
import Foundation
import Glibc
import NIOCore
import Testing

@Suite("The program, as a process")
struct ProgramTests {
    @Test("fetches, and reports it")
    func success() async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { path, _ in
            [.answer("200 OK", "this is \(path)")]
        } _: { server in
            let program = try RunningProgram(
                [server.url("/a"), "--input", "-", "--output", directory.path], input: server.url("/b") + "\n")
            let end = await program.ended()
            #expect(end.code == 0)
            #expect(end.output.hasPrefix("2 of 2 fetched, 20 B in "))
            #expect(
                end.errors.split(separator: "\n").sorted() == [
                    "fetcher: \(server.url("/a")): 10 B", "fetcher: \(server.url("/b")): 10 B",
                ])
            #expect(try directory.text("127.0.0.1_\(server.port)_a") == "this is /a")
            #expect(directory.names.count == 2)
        }
    }

    @Test("requests a page that is not found once, and reports it once")
    func notFound() async throws {
        try await RudeServer.with { _, _ in
            [.answer("404 Not Found", "bad")]
        } _: { server in
            let end = try await RunningProgram([server.url("/bad")]).ended()
            #expect(end.code == 1)
            #expect(end.errors == "")
            #expect(end.output.hasPrefix("failed: \(server.url("/bad")) (status 404)\n0 of 1 fetched, 0 B in "))
            #expect(server.counts.requests == ["/bad": 1])
        }
    }

    @Test("exits with 1 if something was not fetched")
    func failure() async throws {
        try await RudeServer.with { path, _ in
            [path == "/good" ? .answer("200 OK", "good") : .answer("404 Not Found", "bad")]
        } _: { server in
            let program = try RunningProgram([server.url("/good"), server.url("/bad"), "--json", "--quiet"])
            let end = await program.ended()
            #expect(end.code == 1)
            #expect(end.errors == "")
            let json = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any]
            #expect(json?["fetched"] as? Int == 1)
            let targets = json?["targets"] as? [[String: Any]]
            #expect(targets?.map { $0["outcome"] as? String } == ["fetched", "failed"])
            #expect(targets?.last?["error"] as? String == "status 404")
        }
    }

    @Test(
        "exits with 64 and one line for wrong usage",
        arguments: [
            [], ["nonsense"], ["http://h/", "--concurrency", "0"], ["http://h/", "--nope"],
            ["http://h/", "--concurrency", "many"],
        ])
    func usage(_ arguments: [String]) async throws {
        let end = try await RunningProgram(arguments).ended()
        #expect(end.code == 64)
        #expect(end.errors.hasPrefix("fetcher: ") && end.errors.hasSuffix("; --help lists the options\n"))
        #expect(end.errors.count { $0 == "\n" } == 1, "\(end.errors)")
        #expect(end.output == "")
    }

    @Test(
        "exits with 1 and one line if the list cannot be read",
        arguments: [("/there/is/no/such/file", "No such file or directory"), ("/", "Is a directory")])
    func unreadableList(_ file: String, _ reason: String) async throws {
        let end = try await RunningProgram(["--input", file]).ended()
        #expect(end.code == 1)
        #expect(end.errors == "fetcher: cannot read \(file): \(reason)\n")
        #expect(end.output == "")
    }

    @Test("the help text is not an error")
    func help() async throws {
        let end = try await RunningProgram(["--help"]).ended()
        #expect(end.code == 0)
        #expect(end.output.contains("--per-host"))
    }

    @Test("fails if the directory cannot be created")
    func noDirectory() async throws {
        let end = try await RunningProgram(["http://127.0.0.1:1/", "--output", "/proc/none/here"]).ended()
        #expect(end.code == 1)
        #expect(end.errors.hasPrefix("fetcher: cannot write /proc/none/here: "))
    }

    @Test("after Ctrl-C, running requests finish, and no new ones start", arguments: [SIGINT, SIGTERM])
    func graceful(_ signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        let requested = Latch()
        let rest = Latch()
        try await RudeServer.with { _, _ in
            requested.open()
            return [.head(length: 4), .send("ha"), .await(rest), .send("lf")]
        } _: { server in
            let program = try RunningProgram([
                server.url("/slow"), server.url("/never"), "--concurrency", "1", "--grace", "600", "--output",
                directory.path,
            ])
            await requested.wait()
            program.send(signal)
            #expect(await program.hasWritten("finishing running requests", to: .errors))
            rest.open()
            let end = await program.ended()
            #expect(end.code == 128 + signal)
            #expect(end.output.contains("not started: \(server.url("/never"))"))
            #expect(end.output.contains("1 of 2 fetched, 4 B in "))
            #expect(end.output.hasSuffix(", interrupted\n"))
            #expect(directory.names == ["127.0.0.1_\(server.port)_slow"])
            #expect(server.counts.requests == ["/slow": 1])
        }
    }

    @Test("after the second Ctrl-C, it exits immediately, and leaves no partial file")
    func atOnce() async throws {
        let directory = try TemporaryDirectory()
        let requested = Latch()
        try await RudeServer.with { _, _ in
            requested.open()
            return [.head(length: 100), .send("half"), .hang]
        } _: { server in
            let program = try RunningProgram([server.url("/slow"), "--grace", "600", "--output", directory.path])
            await requested.wait()
            program.send(SIGINT)
            #expect(await program.hasWritten("finishing running requests", to: .errors))
            program.send(SIGINT)
            let end = await program.ended()
            #expect(end.code == 130, "\(end.errors)")
            #expect(end.output.contains("unfinished: \(server.url("/slow"))"))
            #expect(directory.names == [])
        }
    }

    @Test("after Ctrl-C, it waits no longer than the grace period")
    func grace() async throws {
        let directory = try TemporaryDirectory()
        let requested = Latch()
        try await RudeServer.with { _, _ in
            requested.open()
            return [.head(length: 100), .send("half"), .hang]
        } _: { server in
            let program = try RunningProgram([server.url("/slow"), "--grace", "0.1", "--output", directory.path])
            await requested.wait()
            program.send(SIGINT)
            #expect(await program.ended().code == 130)
            #expect(directory.names == [])
        }
    }

    @Test("writes a body to disk without keeping it in memory")
    func bigBodies() async throws {
        let directory = try TemporaryDirectory()
        let size = 128 << 20
        try await RudeServer.with { _, _ in
            [.head(length: size), .flood(ByteBuffer(repeating: 0x2E, count: 1 << 16), times: size >> 16)]
        } _: { server in
            let program = try RunningProgram(
                (0..<3).map { server.url("/\($0)") } + ["--output", directory.path, "--quiet"])
            let end = await program.ended()
            #expect(end.code == 0)
            // Far less than the body, even with the overhead of a sanitizer.
            #expect(end.peak < 256 << 20)
            #expect(directory.names.count == 3)
            for name in directory.names {
                let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + name)
                #expect(attributes[.size] as? Int == size)
            }
        }
    }

    @Test("on a terminal, it redraws one block, and erases it at the end")
    func terminal() async throws {
        let requested = Latch()
        let rest = Latch()
        try await RudeServer.with { _, _ in
            requested.open()
            return [.head(length: 4), .send("ha"), .await(rest), .send("lf")]
        } _: { server in
            let program = try RunningProgram([server.url("/slow")], onTerminal: true)
            #expect(await program.hasWritten("50% of 4 B", to: .errors))
            #expect(await program.hasWritten("] 0 of 1, 2 B", to: .errors))
            rest.open()
            let end = await program.ended()
            #expect(end.code == 0)
            #expect(end.output.hasPrefix("1 of 1 fetched"))
            #expect(!end.errors.contains("fetcher:"))
            // The last output erases the block.
            #expect(end.errors.hasSuffix("\u{1B}[J"))
        }
    }
}
