import Foundation
import Glibc
import TestSupport
import Testing

@Suite("ConfigReload, run as a program", .watched)
struct ConfigReloadProgramTests {
    private let fixtures = RunningProcess.fixtures + "/config"

    // MARK: Edits

    @Test("detects a file written in place, and ignores one that is only touched")
    func inPlace() throws {
        let session = try ConfigSession()
        try session.write(ConfigSession.port(1))
        try session.expect("listener: port 1 (was: port 8080)")
        utimes(session.path, nil)
        try session.directory.write("{}", to: "other.json")
        try session.write(ConfigSession.port(2))
        try session.expect("listener: port 2 (was: port 1)")
        try session.write(ConfigSession.port(2) + "\n")
        try session.expect("\(session.path): applied, without a change")
        #expect(try session.end() == 3)
    }

    @Test("detects a file that is replaced")
    func replaced() throws {
        let session = try ConfigSession()
        for port in 1...3 {
            try session.replace(with: ConfigSession.port(port))
            try session.expect("listener: port \(port) (was: port \(port == 1 ? 8080 : port - 1))")
        }
        // Like editors that keep the old file.
        try session.rename("c.json", to: "c.json~")
        try session.write(ConfigSession.port(4))
        try session.directory.remove("c.json~")
        try session.expect("listener: port 4 (was: port 3)")
        #expect(try session.end() == 4)
    }

    @Test("keeps the last good configuration while the file is missing")
    func deleted() throws {
        let session = try ConfigSession()
        try session.directory.remove("c.json")
        try session.expectRefusal(" error: cannot read it: No such file or directory")
        try session.write(ConfigSession.port(8080))
        try session.expect("\(session.path): applied, without a change")
        try session.directory.remove("c.json")
        try session.expectRefusal(" error: cannot read it: No such file or directory")
        try session.write(ConfigSession.port(1))
        try session.expect("listener: port 1 (was: port 8080)")
        try session.end()
    }

    @Test("keeps the last good configuration while the file is incomplete, and continues when it is complete")
    func truncated() throws {
        let session = try ConfigSession()
        truncate(session.path, 9)
        try session.expectRefusal("1:10: error: expected \":\", found the end of the text")
        truncate(session.path, 0)
        try session.expectRefusal("1:1: error: expected a value, but the text is empty")
        let file = try #require(FileHandle(forWritingAtPath: session.path))
        try file.write(contentsOf: Data("{\"server\": {\"port\": 1".utf8))
        try session.expectRefusal("1:22: error: expected \",\" or \"}\", found the end of the text")
        // The file stays open, as the write alone must be detected.
        try file.write(contentsOf: Data("}}".utf8))
        try session.expect("listener: port 1 (was: port 8080)")
        try session.end()
    }

    @Test("keeps the last good configuration while the file is not readable", .enabled(if: geteuid() != 0, "root may"))
    func unreadable() throws {
        let session = try ConfigSession()
        chmod(session.path, 0)
        try session.expectRefusal(" error: cannot read it: Permission denied")
        chmod(session.path, 0o600)
        try session.expect("\(session.path): applied, without a change")
        try session.end()
    }

    @Test("keeps the last good configuration while the path is a directory, a pipe or an unusable file")
    func somethingElse() throws {
        let session = try ConfigSession()
        try session.directory.remove("c.json")
        try session.expectRefusal(" error: cannot read it: No such file or directory")
        try session.directory.makeDirectory("c.json")
        try session.expectRefusal(" error: cannot read it: it is a directory")
        rmdir(session.path)
        try session.expectRefusal(" error: cannot read it: No such file or directory")
        try session.directory.makePipe("c.json")
        try session.expectRefusal(" error: cannot read it: it is not a regular file")
        try session.replace(with: ConfigSession.port(1))
        try session.expect("listener: port 1 (was: port 8080)")
        try session.replace(with: String(repeating: " ", count: 2 << 20))
        try session.expectRefusal(" error: cannot read it: it is larger than 1 MiB")
        try session.directory.write(bytes: [0x7B, 0xFF, 0x7D], to: "c.json")
        try session.expectRefusal("1:2: error: the text is not valid UTF-8 from here on")
        try session.directory.write(bytes: [0xEF, 0xBB, 0xBF] + ConfigSession.port(2).utf8, to: "c.json")
        try session.expect("listener: port 2 (was: port 1)")
        try session.end()
    }

    @Test("retries a file that temporarily cannot be opened")
    func lease() throws {
        let session = try ConfigSession()
        let lease = try LeasedFile("\(session.directory.path)/leased", text: ConfigSession.port(1))
        try session.rename("leased", to: "c.json")
        try session.expectRefusal(" error: cannot read it: Resource temporarily unavailable")
        lease.release()
        try session.expect("listener: port 1 (was: port 8080)")
        try session.end()
    }

    @Test("applies a file completely or not at all")
    func invalid() throws {
        let session = try ConfigSession()
        try session.write(#"{"server": {"port": 1}, "log": {"level": "loud"}, "nothing": 0}"#)
        try session.expectErrors(
            "\(session.path):1:42: error: log.level: \"loud\" is not one of trace, debug, info, notice, warning, error, critical",
            "\(session.path):1:51: warning: nothing: unknown key",
            "\(session.path): not applied; the last valid configuration remains in force")
        try session.write("{\n  \"log\": {\n    \"level\": debug\n  }\n}")
        try session.expectRefusal("3:14: error: expected a value, found \"debug\"")
        try session.write(#"{"workers": {"min": 20}}"#)
        try session.expectRefusal("1:21: error: workers.min: 20 is more than workers.max, which is 8")
        try session.write(#"{"server": {"port": 8080}, "workers": {"min": 20, "max": 25}, "nothing": 0}"#)
        try session.expectErrors("\(session.path):1:63: warning: nothing: unknown key")
        try session.expect(
            "workers: 20 to 25 (was: 2 to 8)", "limiter: 20 requests/s per worker (was: 62 requests/s per worker)")
        try session.end()
    }

    @Test("detects the swap of a symbolic link, as Kubernetes does it, and edits behind the link")
    func links() throws {
        let session = try ConfigSession { directory in
            for version in 0...2 {
                try directory.makeDirectory("..\(version)")
                try directory.write(ConfigSession.port(8080 + version), to: "..\(version)/c.json")
            }
            try directory.link("..data", to: "..0")
            try directory.link("c.json", to: "..data/c.json")
        }
        for version in 1...2 {
            try session.directory.link("..tmp", to: "..\(version)")
            try session.rename("..tmp", to: "..data")
            try session.expect("listener: port \(8080 + version) (was: port \(8080 + version - 1))")
        }
        try session.directory.write(ConfigSession.port(1), to: "..1/c.json")
        try session.directory.write(ConfigSession.port(2), to: "..2/c.json")
        try session.expect("listener: port 2 (was: port 8082)")
        #expect(try session.end() == 3)
    }

    @Test("detects that the file's directory reappears or is replaced")
    func directory() throws {
        let session = try ConfigSession("a/b/c.json") { directory in
            try directory.makeDirectory("a")
            try directory.makeDirectory("a/b")
            try directory.write(ConfigSession.port(8080), to: "a/b/c.json")
        }
        try session.directory.remove("a")
        try session.expectRefusal(" error: cannot read it: No such file or directory")
        try session.directory.makeDirectory("a")
        try session.directory.makeDirectory("a/b")
        try session.write(ConfigSession.port(1))
        try session.expect("listener: port 1 (was: port 8080)")
        try session.directory.makeDirectory("a/new")
        try session.directory.write(ConfigSession.port(2), to: "a/new/c.json")
        try session.rename("a/b", to: "a/old")
        try session.expectRefusal(" error: cannot read it: No such file or directory")
        try session.rename("a/new", to: "a/b")
        try session.expect("listener: port 2 (was: port 1)")
        try session.write(ConfigSession.port(3))
        try session.expect("listener: port 3 (was: port 2)")
        try session.end()
    }

    @Test("applies the last of 1,000 edits, after few reloads", arguments: [false, true])
    func storm(byRenaming: Bool) throws {
        let session = try ConfigSession()
        for port in 1...1000 {
            let text = ConfigSession.port(port)
            if byRenaming { try session.replace(with: text) } else { try session.write(text) }
        }
        try session.process.wait { $0.contains("listener: port 1000 (was: port ") }
        session.process.send(SIGTERM)
        let result = try session.process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        let lines = result.output.split(separator: "\n")
        expect(lines.last { $0.hasPrefix("listener: ") }?.hasPrefix("listener: port 1000 "), is: true)
        let last = try #require(lines.last?.wholeMatch(of: /ended after (\d+) reloads, \d+ of them rejected/))
        expect(Int(last.1).map { $0 < 100 }, is: true)
    }

    // MARK: Checking a file

    @Test(
        "checks a file, and ends with code 0 if it is valid and with code 1 if not",
        arguments: [
            ("good.json", 0, []),
            (
                "questionable.json", 0,
                [
                    ":2:29: warning: server.host: unknown key",
                    ":3:21: warning: log.level: \"Debug\" is read as \"debug\"",
                ]
            ),
            (
                "invalid.json", 1,
                [
                    ":2:23: error: server.port: 70000 is not between 1 and 65535",
                    ":3:21: error: log.level: expected a string, found 3",
                    ":4:23: error: workers.min: 9 is more than workers.max, which is 4",
                    ":5:3: warning: limit: unknown key",
                ]
            ),
            ("broken.json", 1, [":5:3: error: expected \",\" or \"}\", found \"\"\""]),
            ("none.json", 1, [": error: cannot read it: No such file or directory"]),
        ] as [(String, Int32, [String])])
    func once(_ name: String, _ exitCode: Int32, _ problems: [String]) throws {
        let file = "\(fixtures)/\(name)"
        let result = try runProcess("ConfigReload", ["--once", file])
        let output = exitCode == 0 ? "\(file) is valid\n" : ""
        let errors = problems.map { "\(file)\($0)\n" }.joined()
        expect(result, is: ProcessResult(exitCode: exitCode, output: output, errors: errors))
    }

    // MARK: Beginning and ending

    @Test("does not start with an invalid file")
    func badBeginning() throws {
        let result = try runProcess("ConfigReload", ["\(fixtures)/broken.json"])
        expect(result.exitCode, is: 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasSuffix("\nconfigreload: there is no valid configuration to start with\n"))
    }

    @Test("prints the help, which names the watched file")
    func help() throws {
        let result = try runProcess("ConfigReload", ["--help"])
        expect(result.exitCode, is: 0)
        #expect(result.output.contains("USAGE: ConfigReload [options] [FILE]"))
        #expect(result.output.contains("by default Examples/ConfigReload/config.json\n"))
    }

    @Test("ends with code 64 and one line on wrong usage", arguments: [["--bogus"], ["a", "b"], [""]])
    func usage(_ arguments: [String]) throws {
        let result = try runProcess("ConfigReload", arguments)
        expect(result.exitCode, is: 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("configreload: "))
        expect(result.errors.filter(\.isNewline).count, is: 1)
    }

    @Test("ends with code 0 on a signal", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signal(_ signal: Int32) throws {
        let session = try ConfigSession()
        session.process.send(signal)
        let result = try session.process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        #expect(result.output.hasSuffix("\nended after 0 reloads, 0 of them rejected\n"))
        #expect(result.errors.isEmpty)
    }

    @Test("ends silently with code 0 if its output is closed, as in `ConfigReload | head`")
    func closedPipe() throws {
        let session = try ConfigSession()
        session.process.closeOutput()
        try session.write(ConfigSession.port(1))
        let result = try session.process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        expect(result.errors, is: "")
    }

    @Test("ends with code 0 if its output is closed before the last line")
    func closedPipeAtTheEnd() throws {
        let session = try ConfigSession()
        session.process.closeOutput()
        session.process.send(SIGTERM)
        let result = try session.process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        expect(result.errors, is: "")
    }

    @Test("prints warnings before the lines of the components", arguments: 1...3)
    func order(_ round: Int) throws {
        let directory = try TemporaryDirectory()
        try directory.write("{}", to: "c.json")
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let process = try RunningProcess("ConfigReload", ["\(directory.path)/c.json"], terminal: terminal)
        try process.wait { $0.contains("limiter: ") }
        try directory.write(#"{"nothing": 0, "server": {"port": 1}}"#, to: "c.json")
        try process.wait { $0.contains("listener: port 1") }
        #expect(process.output.contains(/nothing: unknown key\r\n.*listener: port 1/))
        terminal.type("\u{3}")
        #expect(try process.waitUntilEnd().exitCode == 0)
    }

    @Test("ends on a signal even if its output is not read")
    func blockedOutput() throws {
        let session = try ConfigSession()
        let capacity = session.process.shrinkPipe()
        let other = """
            {"server": {"port": 1}, "log": {"level": "critical"}, "workers": {"min": 1, "max": 1},
             "limits": {"requestsPerSecond": 1, "bodyBytes": 1}}
            """
        // Both directions produce the same number of bytes.
        let change = """
            listener: port 1 (was: port 8080)
            logger: level critical (was: level info)
            uploads: up to 1 byte (was: up to 1048576 bytes)
            workers: 1 to 1 (was: 2 to 8)
            limiter: 1 requests/s per worker (was: 62 requests/s per worker)

            """.utf8.count
        let fitting = capacity / change
        for count in 1...fitting {
            try session.write(count.isMultiple(of: 2) ? "{}" : other)
            try session.process.waitUntilUnread(bytes: count * change)
        }
        // This does not fit, so the program waits, or will wait, to print it.
        try session.write(fitting.isMultiple(of: 2) ? other : "{}")
        session.process.send(SIGTERM)
        try session.process.waitUntilEndWithoutReading()
    }
}
