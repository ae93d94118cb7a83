import Foundation
import TestSupport
import Testing

@testable import ConfigReloadKit

@Suite("A configuration file")
struct ConfigReloadConfigurationTests {
    private func accept(_ text: String) throws -> Accepted { try Accepted(.bytes(Array(text.utf8))) }

    /// The messages about a file with the name `f`.
    private func problems(_ text: String) -> [String] {
        do {
            return try accept(text).warnings.map { $0.text(file: "f") }
        } catch let rejection as Rejection {
            return rejection.problems.map { $0.text(file: "f") }
        } catch {
            return ["\(error)"]
        }
    }

    @Test("has defaults for all missing values")
    func defaults() throws {
        let accepted = try accept("{}")
        expect(accepted.configuration, is: Configuration())
        #expect(accepted.warnings.isEmpty)
    }

    @Test("is shipped with the defaults in it")
    func shipped() throws {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        let accepted = try Accepted(Contents.read("\(folder)/\(Options.shippedFile)"))
        expect(accepted.configuration, is: Configuration())
        #expect(accepted.warnings.isEmpty)
        guard case .bytes(let bytes) = accepted.contents else { return }
        for name in Key.allCases.compactMap({ $0.rawValue.split(separator: ".").last }) {
            #expect(String(decoding: bytes, as: UTF8.self).contains("\"\(name)\""))
        }
    }

    @Test("sets all values")
    func values() throws {
        let text = """
            {"server": {"port": 1}, "log": {"level": "error"}, "limits": {"requestsPerSecond": 2, "bodyBytes": 0},
             "workers": {"min": 3, "max": 1e2}}
            """
        let expected = Configuration(
            port: 1, logLevel: .error, limits: Limits(requestsPerSecond: 2, bodyBytes: 0), workers: 3...100)
        #expect(try accept(text).configuration == expected)
    }

    @Test(
        "accepts any valid pair, in either order",
        arguments: [#""min": 20, "max": 30"#, #""max": 30, "min": 20"#, #""min": 1, "max": 1"#, #""max": 1, "min": 1"#])
    func pair(_ members: String) throws {
        let workers = try accept("{\"workers\": {\(members)}}").configuration.workers
        #expect(members.contains("\"min\": \(workers.lowerBound)"))
        #expect(members.contains("\"max\": \(workers.upperBound)"))
    }

    @Test(
        "reports errors with their place and key path",
        arguments: [
            (#"{"server": {"port": 0}}"#, ["f:1:21: error: server.port: 0 is not between 1 and 65535"]),
            (
                "{\n  \"server\": {\n    \"port\": \"80\"\n  }\n}",
                ["f:3:13: error: server.port: expected a whole number, found the string \"80\""]
            ),
            (
                #"{"server": {"port": 80.5}}"#,
                ["f:1:21: error: server.port: expected a whole number, found 80.5"]
            ),
            (#"{"server": {"port": true}}"#, ["f:1:21: error: server.port: expected a whole number, found true"]),
            (
                #"{"server": {"port": 1e300}}"#,
                ["f:1:21: error: server.port: expected a whole number, found 1e+300"]
            ),
            (#"{"log": {"level": null}}"#, ["f:1:19: error: log.level: expected a string, found null"]),
            (
                #"{"log": {"level": "a\nb"}}"#,
                [
                    "f:1:19: error: log.level: \"a?b\" is not one of trace, debug, info, notice, warning, error, critical"
                ]
            ),
            (#"{"server": 80}"#, ["f:1:12: error: server: expected an object, found 80"]),
            ("[1]", ["f:1:1: error: expected an object, found an array"]),
            (
                #"{"workers": {"min": 9}}"#,
                ["f:1:21: error: workers.min: 9 is more than workers.max, which is 8"]
            ),
            (
                #"{"workers": {"max": 1}}"#,
                [
                    "f:1:21: error: workers.min: 2 is more than workers.max, which is 1 "
                        + "(the default, because it is not given)"
                ]
            ),
            ("{", ["f:1:2: error: expected a name in quotes, found the end of the text"]),
        ])
    func errors(_ text: String, _ expected: [String]) {
        #expect(throws: Rejection.self) { try accept(text) }
        expect(problems(text), is: expected)
    }

    @Test(
        "reports no error for a value that depends on an invalid one",
        arguments: [#"{"workers": {"min": 9, "max": "4"}}"#, #"{"workers": {"min": 9, "max": -4}}"#])
    func dependent(_ text: String) {
        expect(problems(text).count, is: 1)
        expect(problems(text).first?.contains("workers.max: "), is: true)
    }

    @Test(
        "warns about errors that do not prevent its use",
        arguments: [
            (#"{"sever": {"port": 1}}"#, ["f:1:2: warning: sever: unknown key"]),
            (#"{"server": {"port": 8080, "host\u001b": []}}"#, ["f:1:27: warning: server.host?: unknown key"]),
            (#"{"server.port": 1}"#, ["f:1:2: warning: \"server.port\": unknown key"]),
            (#"{"log": {"level": "INFO"}}"#, ["f:1:19: warning: log.level: \"INFO\" is read as \"info\""]),
            (
                #"{"server": {"port": 1, "port": 8080}}"#,
                ["f:1:24: warning: server.port: given more than once; the last value is used"]
            ),
            (
                #"{"server": {"port": 1}, "server": {}}"#,
                ["f:1:25: warning: server: given more than once; the last value is used"]
            ),
        ])
    func warnings(_ text: String, _ expected: [String]) throws {
        #expect(try accept(text).configuration == Configuration())
        expect(problems(text), is: expected)
    }

    @Test("reports all errors together, in the order of the file")
    func all() {
        let text = #"{"log": {"level": "Info"}, "x": 1, "server": {"port": -1}, "workers": {"max": "9", "min": 0}}"#
        let places = problems(text).compactMap { $0.split(separator: ": ").dropFirst(2).first.map(String.init) }
        expect(places, is: ["log.level", "x", "server.port", "workers.max", "workers.min"])
    }

    @Test("is read only if it is a regular file of moderate size")
    func contents() throws {
        let directory = try TemporaryDirectory()
        try directory.write(bytes: [UInt8](repeating: 0x20, count: Contents.largestSize), to: "large")
        try directory.write(bytes: [UInt8](repeating: 0x20, count: Contents.largestSize + 1), to: "huge")
        try directory.makePipe("pipe")
        try directory.link("loop", to: "loop")
        func read(_ name: String) -> Contents { Contents.read("\(directory.path)/\(name)") }
        expect(read("large"), is: .bytes([UInt8](repeating: 0x20, count: Contents.largestSize)))
        expect(read("huge"), is: .unreadable(reason: "it is larger than 1 MiB"))
        expect(read("pipe"), is: .unreadable(reason: "it is not a regular file"))
        expect(read(""), is: .unreadable(reason: "it is a directory"))
        expect(read("none"), is: .unreadable(reason: "No such file or directory"))
        expect(read("huge/x"), is: .unreadable(reason: "Not a directory"))
        expect(read("loop"), is: .unreadable(reason: "Too many levels of symbolic links"))
    }
}
