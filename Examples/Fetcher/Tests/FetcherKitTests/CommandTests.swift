import ArgumentParser
import Foundation
import Testing

@testable import FetcherKit

@Suite("The command line")
struct CommandTests {
    @Test("options become settings")
    func options() throws {
        let command = try FetcherCommand.parse([
            "http://h/a", "--concurrency", "3", "--per-host=2", "--retries", "1", "--timeout", "0.5", "--total-timeout",
            "9",
            "--pause", "0.1", "--grace", "0", "--json", "-q", "--output", "dir",
        ])
        #expect(command.settings.concurrency == 3)
        #expect(command.settings.perHost == 2)
        #expect(command.settings.retries == 1)
        #expect(command.settings.timeout == .milliseconds(500))
        #expect(command.settings.overallTimeout == .seconds(9))
        #expect(command.settings.pause == .milliseconds(100))
        #expect(command.settings.grace == .zero)
        #expect(command.json && command.quiet && !command.verbose)
        #expect(command.output == "dir")
        #expect(try command.targets().map(\.address.description) == ["http://h/a"])
    }

    @Test(
        "invalid arguments are refused",
        arguments: [
            ["nonsense"], ["ftp://h/"], ["http://h/", "--concurrency", "0"], ["http://h/", "--per-host", "-1"],
            ["http://h/", "--retries", "-1"], ["http://h/", "--timeout", "0"], ["http://h/", "--timeout", "nan"],
            ["http://h/", "--total-timeout", "inf"], ["http://h/", "--unknown"],
            ["http://h/", "--concurrency", "many"],
        ])
    func nonsense(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try FetcherCommand.parse(arguments) }
    }

    @Test("there must be something to fetch, but an unknown option is reported first")
    func nothing() throws {
        #expect(throws: ValidationError.self) { try FetcherCommand.parse([]).targets() }
        let error = #expect(throws: (any Error).self) { try FetcherCommand.parse(["--nope"]) }
        #expect(error.map { FetcherCommand.message(for: $0) }?.hasPrefix("Unknown option '--nope'") == true)
    }

    @Test("a list has one URL per line, and can have comments")
    func list() throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("list")
        try Data("# first\r\nhttp://h/a\r\n\n  http://h/b  \nhttp://h/a\n# http://h/c".utf8).write(to: file)
        let command = try FetcherCommand.parse(["--input", file.path, "http://h/first"])
        #expect(try command.targets().map(\.address.description) == ["http://h/first", "http://h/a", "http://h/b"])
    }

    @Test("a list that is missing or contains an invalid URL is refused")
    func badList() throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("list")
        let command = try FetcherCommand.parse(["--input", file.path])
        let missing = #expect(throws: InputProblem.self) { try command.targets() }
        #expect(missing?.description == "cannot read \(file.path): No such file or directory")
        try Data("http://h/a\nhello".utf8).write(to: file)
        #expect(throws: ValidationError.self) { try command.targets() }
    }
}
