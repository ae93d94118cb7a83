import Foundation
import Glibc
import TestSupport
import Testing

/// A run of ConfigReload on a file that a test edits.
final class ConfigSession {
    let directory: TemporaryDirectory
    /// The path relative to the temporary directory.
    let name: String
    let process: RunningProcess
    private var linesSeen = 0
    private var errorLinesSeen = 0

    var path: String { "\(directory.path)/\(name)" }

    /// Starts the program, and waits for its first lines.
    ///
    /// - Parameter prepare: Creates the file, unless it is to be a file with the port 8080.
    init(_ name: String = "c.json", prepare: ((TemporaryDirectory) throws -> Void)? = nil) throws {
        self.name = name
        directory = try TemporaryDirectory()
        if let prepare { try prepare(directory) } else { try directory.write(Self.port(8080), to: name) }
        process = try RunningProcess("ConfigReload", ["\(directory.path)/\(name)"])
        try expect(
            "watching \(path)", "listener: port 8080", "logger: level info", "uploads: up to 1048576 bytes",
            "workers: 2 to 8", "limiter: 62 requests/s per worker")
    }

    static func port(_ port: Int) -> String { "{\"server\": {\"port\": \(port)}}" }

    // MARK: What it prints

    /// Waits for the next lines of output, and expects these.
    func expect(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        for line in lines {
            try process.wait { $0.filter(\.isNewline).count > linesSeen }
            #expect(Self.lines(process.output)[linesSeen] == line, sourceLocation: sourceLocation)
            linesSeen += 1
        }
    }

    /// Waits for the next lines of standard error, and expects these.
    func expectErrors(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        for line in lines {
            try process.wait { _ in process.errors.filter(\.isNewline).count > errorLinesSeen }
            #expect(Self.lines(process.errors)[errorLinesSeen] == line, sourceLocation: sourceLocation)
            errorLinesSeen += 1
        }
    }

    /// Waits for the report that the file was rejected for this reason.
    func expectRefusal(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expectErrors(
            "\(path):\(reason)", "\(path): not applied; the last valid configuration remains in force",
            sourceLocation: sourceLocation)
    }

    /// Ends the program, and expects that it has printed nothing else. Returns the number of its reloads.
    @discardableResult
    func end(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
        process.send(SIGTERM)
        let result = try process.waitUntilEnd()
        #expect(result.exitCode == 0, sourceLocation: sourceLocation)
        let rest = Self.lines(result.output).dropFirst(linesSeen)
        let last = try #require(rest.first?.wholeMatch(of: /ended after (\d+) reloads, \d+ of them rejected/))
        #expect(rest.dropFirst() == [""], sourceLocation: sourceLocation)
        #expect(Self.lines(result.errors).dropFirst(errorLinesSeen) == [""], sourceLocation: sourceLocation)
        return try #require(Int(last.1))
    }

    private static func lines(_ text: String) -> [String] { text.components(separatedBy: "\n") }

    // MARK: What is done to the file

    func write(_ text: String) throws { try directory.write(text, to: name) }

    /// Renames a file in the directory, and replaces a file with the new name.
    func rename(_ former: String, to name: String) throws {
        guard Glibc.rename("\(directory.path)/\(former)", "\(directory.path)/\(name)") == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Writes another file, and replaces this one with it.
    func replace(with text: String) throws {
        try directory.write(text, to: name + ".new")
        try rename(name + ".new", to: name)
    }
}
