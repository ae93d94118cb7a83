import Foundation
import Glibc
import TestSupport
import Testing

@testable import LineCountKit

@Suite("LineCount, run as a program")
struct LineCountProgramTests {
    /// More files than fit into a batch. The last one cannot be opened yet.
    private func stuckTree() throws -> (directory: TemporaryDirectory, lease: LeasedFile) {
        let directory = try TemporaryDirectory()
        for number in 100..<100 + Batch.mostFiles { try directory.write("x\n", to: "\(number).c") }
        let lease = try LeasedFile(directory.path + "/z.c", text: "x\n")
        lease.keep()
        return (directory, lease)
    }

    private func object(_ output: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }

    // MARK: Output

    @Test("prints a table, with the most used languages first, and the skipped files")
    func table() throws {
        let directory = try TemporaryDirectory()
        try directory.write("// a\n\nx\n", to: "a.c")
        try directory.write("x\ny\n", to: "a.swift")
        try directory.write("?", to: "a.nothing")
        try directory.link("b\n.c", to: "nowhere")
        let result = try runProcess("LineCount", [directory.path])
        expect(result.exitCode, is: 0)
        #expect(result.errors.isEmpty)
        let expected = """
            Language                       files       blank     comment        code
            ------------------------------------------------------------------------
            Swift                              1           0           0           2
            C                                  1           1           1           1
            ------------------------------------------------------------------------
            Sum                                2           1           1           3

            2 files of 12 B, 1 in an unknown language, TIME s

            Skipped 1:
              \(directory.path)/b?.c: broken link

            """
        expect(result.output.replacing(/[0-9]+\.[0-9]+ s\n/, with: "TIME s\n"), is: expected)
    }

    @Test("counts one file in the singular")
    func singular() throws {
        let directory = try TemporaryDirectory()
        try directory.write("x\n", to: "a.c")
        let output = try runProcess("LineCount", [directory.path]).output
        #expect(output.contains(/\n1 file of 2 B, [0-9.]+ s\n$/), "\(output)")
    }

    @Test(
        "prints one JSON object with the totals of the sequential pass",
        arguments: [[], ["--limit", "1"], ["--limit=3"]])
    func json(_ arguments: [String]) throws {
        let tree = try OddTree()
        let result = try runProcess("LineCount", arguments + ["--json", tree.path])
        expect(result.exitCode, is: 1)
        expect(result.errors, is: "linecount: one file or directory could not be read\n")
        expect(result.output.filter(\.isNewline).count, is: 1)
        let object = try object(result.output)
        let expected = try tree.sequentialPass()
        expect(object["interrupted"] as? Bool, is: false)
        expect(object["files"] as? Int, is: expected.values.reduce(0) { $0 + $1.files })
        expect(object["blank"] as? Int, is: expected.values.reduce(0) { $0 + $1.blank })
        expect(object["comment"] as? Int, is: expected.values.reduce(0) { $0 + $1.comment })
        expect(object["code"] as? Int, is: expected.values.reduce(0) { $0 + $1.code })
        let languages = try #require(object["languages"] as? [[String: Any]])
        expect(Set(languages.compactMap { $0["name"] as? String }), is: ["C", "Swift", "Python", "Shell"])
        let skipped = try #require(object["skipped"] as? [[String: String]])
        let reasons = skipped.map { (String(($0["path"] ?? "").dropFirst(tree.path.count + 1)), $0["reason"] ?? "") }
        expect(Dictionary(uniqueKeysWithValues: reasons), is: tree.skipped)
    }

    @Test("compares one thread with two")
    func comparison() throws {
        let tree = try OddTree(files: 3)
        let result = try runProcess("LineCount", ["--compare", tree.path])
        expect(result.exitCode, is: 0)
        #expect(result.output.contains(/^limit 1: [0-9.]+ ms, limit 2: [0-9.]+ ms, ratio [0-9.]+\n$/))
    }

    @Test("prints the help")
    func help() throws {
        let result = try runProcess("LineCount", ["--help"])
        expect(result.exitCode, is: 0)
        #expect(result.output.contains("USAGE: LineCount [options] DIR"))
    }

    @Test("ignores the paths that .gitignore files and the command line exclude, unless told otherwise")
    func ignoring() throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory(".git")
        try directory.makeDirectory("sub")
        try directory.makeDirectory("sub/out")
        for name in [".git/hook.py", "a.c", "b.c", "sub/a.c", "sub/out/c.c", "sub/d.py"] {
            try directory.write("x\n", to: name)
        }
        try directory.write("out/\n/a.c\n", to: ".gitignore")
        func code(_ arguments: String...) throws -> Int? {
            let result = try runProcess("LineCount", ["--json"] + arguments)
            expect(result.exitCode, is: 0)
            return try object(result.output)["code"] as? Int
        }
        #expect(try code(directory.path) == 3)
        #expect(try code("--exclude", "*.c", "--exclude=/sub/d.py", directory.path) == 0)
        #expect(try code("--no-ignore", directory.path) == 6)
        #expect(try code("--no-ignore", "--exclude", "sub", directory.path) == 3)
        // The rules of parent directories apply, too, but the requested path itself is never ignored.
        #expect(try code(directory.path + "/sub") == 2)
        #expect(try code(directory.path + "/sub/out") == 1)
        let result = try runProcess("LineCount", [directory.path])
        #expect(result.output.contains("3 files of 6 B, 1 in an unknown language, 3 ignored, "))
    }

    // MARK: Failures

    @Test("ends with code 1 and one line after the report if a file could not be read")
    func unreadable() throws {
        let directory = try TemporaryDirectory()
        try directory.write("x\n", to: "a.c")
        try directory.link("b.c", to: "/proc/self/mem")
        try directory.link("c.c", to: "/proc/self/mem/none")
        let one = try runProcess("LineCount", [directory.path])
        expect(one.exitCode, is: 1)
        #expect(one.output.contains("  \(directory.path)/b.c: unreadable: Input/output error\n"))
        expect(one.errors, is: "linecount: one file or directory could not be read\n")
        try directory.remove("b.c")
        // A broken link is skipped, and hides no existing file.
        #expect(try runProcess("LineCount", [directory.path]).exitCode == 0)
    }

    @Test(
        "ends with code 64 and one line on wrong usage",
        arguments: [[], ["--bogus", "."], ["--limit", "0", "."], ["--limit"], [".", "."], [""]])
    func usage(_ arguments: [String]) throws {
        let result = try runProcess("LineCount", arguments)
        expect(result.exitCode, is: 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("linecount: "))
        expect(result.errors.filter(\.isNewline).count, is: 1)
    }

    @Test("ends with code 1 and one line if there is no such directory")
    func missingDirectory() throws {
        let message = "linecount: cannot read /no/such/tree: No such file or directory\n"
        #expect(
            try runProcess("LineCount", ["/no/such/tree"]) == ProcessResult(exitCode: 1, output: "", errors: message))
    }

    @Test("ends silently with code 0 if its output is closed, as in `LineCount | head`")
    func closedPipe() throws {
        let (directory, lease) = try stuckTree()
        let process = try RunningProcess("LineCount", ["--retries", "1000", directory.path])
        process.closeOutput()
        lease.release()
        let result = try process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        expect(result.errors, is: "")
    }

    @Test("gives up on a file that cannot be opened", .watched)
    func hopeless() throws {
        let (directory, lease) = try stuckTree()
        defer { lease.release() }
        let failed = try runProcess("LineCount", ["--json", "--retries", "1", directory.path])
        expect(failed.exitCode, is: 1)
        let givenUp = try object(failed.output)
        expect(givenUp["files"] as? Int, is: Batch.mostFiles)
        let reasons = (givenUp["skipped"] as? [[String: String]])?.map { $0["reason"] }
        expect(reasons, is: ["unreadable: Resource temporarily unavailable"])
    }

    @Test("counts a file that can be opened later", .watched)
    func lease() throws {
        let (directory, lease) = try stuckTree()
        let process = try RunningProcess("LineCount", ["--json", "--retries", "1000", directory.path])
        try process.waitUntilItWants(lease)
        lease.release()
        let result = try process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        #expect(try object(result.output)["files"] as? Int == Batch.mostFiles + 1)
    }

    // MARK: Signals

    @Test("ends with code 130 and a partial report on a signal", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signal(_ signal: Int32) throws {
        let (directory, lease) = try stuckTree()
        defer { lease.release() }
        let process = try RunningProcess("LineCount", ["--json", "--retries", "1000000", directory.path])
        try process.waitUntilItWants(lease)
        process.send(signal)
        let result = try process.waitUntilEnd()
        expect(result.exitCode, is: 130)
        #expect(result.errors.contains(/^linecount: interrupted after [0-9]+ of the [0-9]+ files found so far\n$/))
        let object = try object(result.output)
        expect(object["interrupted"] as? Bool, is: true)
        // Whether the first batch had ended by then is left to chance.
        #expect([0, Batch.mostFiles].contains(object["files"] as? Int))
    }

    // MARK: In a terminal

    private func start(
        _ arguments: [String], in terminal: PseudoTerminal, term: String = "xterm"
    ) throws -> RunningProcess {
        try RunningProcess("LineCount", arguments, environment: ["TERM": term], terminal: terminal)
    }

    @Test("shows its progress, and on Ctrl-C removes it and prints a partial report")
    func progress() throws {
        let (directory, lease) = try stuckTree()
        defer { lease.release() }
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let process = try start(["--retries", "1000000", directory.path], in: terminal)
        try process.wait { $0.contains("] \(Batch.mostFiles) of ") && $0.hasSuffix("\u{1B}[K") }
        #expect(process.output.contains("[####"))
        terminal.type("\u{3}")
        let result = try process.waitUntilEnd()
        expect(result.exitCode, is: 130)
        let parts = result.output.components(separatedBy: "\u{1B}[K")
        expect(parts.dropLast().last?.hasSuffix("\r"), is: true, "the bar is gone")
        let report = parts.last ?? ""
        #expect(report.contains(/Sum +64 +0 +0 +64\r\n/))
        // The walk may not have found the last file by then.
        #expect(report.contains(/interrupted after 64 of the 6[45] files found so far\r\n$/))
    }

    @Test("shows no progress in a terminal without cursor control")
    func dumb() throws {
        let directory = try OddTree(files: 100)
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let result = try start([directory.path], in: terminal, term: "dumb").waitUntilEnd()
        expect(result.exitCode, is: 1, "one of the tree's files cannot be read")
        #expect(!result.output.contains("\u{1B}"))
    }
}
