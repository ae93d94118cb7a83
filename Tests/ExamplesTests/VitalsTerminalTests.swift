import Foundation
import Glibc
import TestSupport
import Testing

@testable import VitalsKit

@Suite("Vitals in a terminal")
struct VitalsTerminalTests {
    private let recording = RunningProcess.fixtures + "/recording"
    /// A tree that never ends, as the same frame is read repeatedly.
    private var endless: String { recording + "/0" }

    private static let enters = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leaves = "\u{1B}[?25h\u{1B}[?1049l"
    private static let home = "\u{1B}[H"

    private func start(
        _ arguments: [String], in terminal: PseudoTerminal, environment: [String: String] = [:]
    ) throws -> RunningProcess {
        let variables = ["TERM": "xterm-256color", "NO_COLOR": ""].merging(environment) { $1 }
        return try RunningProcess("Vitals", arguments, environment: variables, terminal: terminal)
    }

    /// The lines of the last complete frame, without escape sequences.
    private func lastFrame(_ output: String) -> [String] {
        let frames = output.components(separatedBy: Self.home)
        guard frames.count > 2 else { return [] }
        let frame = frames[frames.count - 2].replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
        return frame.components(separatedBy: "\r\n")
    }

    private func shows(_ output: String, columns: Int, rows: Int) -> Bool {
        let frame = lastFrame(output)
        return frame.count == rows && frame.allSatisfy { $0.count == columns }
    }

    @Test("draws the recording, restores the terminal, and prints a summary")
    func draws() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let vitals = try start(["--samples", "5", "--interval", "10", "--root", recording], in: terminal)
        let result = try vitals.waitUntilEnd()
        expect(result.exitCode, is: 0)
        #expect(result.output.hasPrefix(Self.enters))
        for text in ["Waiting for the first sample", "CPU", "Memory", "Network", "Disk", "memory raised", "█"] {
            #expect(result.output.contains(text))
        }
        let parts = result.output.components(separatedBy: Self.leaves)
        expect(parts.count, is: 2)
        let summary = """
            Summary: 5 samples in 5.5 s
              cpu      min 10.0%, avg 62.0%, max 100.0%
              memory   peak 7.4 GiB
              network  in 4.5 MiB, out 102.3 KiB
              disk     read 2.0 MiB, write 7.0 MiB
              alerts   2 raised

            """
        expect(parts.last, is: summary.replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(terminal.echoes)
    }

    @Test("adapts to the size of the terminal, and ends on Ctrl-C")
    func followsTheSize() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let vitals = try start(["--interval", "20", "--root", endless], in: terminal)
        for (columns, rows) in [(80, 24), (20, 5), (200, 50), (40, 12)] {
            terminal.resize(columns: columns, rows: rows)
            try vitals.wait { shows($0, columns: columns, rows: rows) }
        }
        #expect(!terminal.echoes)
        terminal.type("\u{3}")
        let result = try vitals.waitUntilEnd()
        expect(result.exitCode, is: 0)
        expect(result.output.components(separatedBy: Self.leaves).last?.hasPrefix("Summary: "), is: true)
        #expect(terminal.echoes)
    }

    @Test("ends on q with a summary, but on no other key", arguments: ["q", "Q"])
    func quits(_ key: String) throws {
        let terminal = try PseudoTerminal(columns: 100, rows: 24)
        let vitals = try start(["--interval", "10", "--root", endless], in: terminal)
        try vitals.wait { $0.contains("q quits") }
        terminal.type("x")
        let shown = vitals.output.components(separatedBy: Self.home).count
        try vitals.wait { $0.components(separatedBy: Self.home).count > shown + 20 }
        terminal.type(key)
        let result = try vitals.waitUntilEnd()
        expect(result.exitCode, is: 0)
        expect(result.output.components(separatedBy: Self.leaves).last?.hasPrefix("Summary: "), is: true)
        #expect(terminal.echoes)
    }

    @Test("distinguishes the key q from keys with a q in their bytes")
    func keys() {
        #expect(!VitalsRun.quits([]))
        #expect(!VitalsRun.quits(Array("\u{1B}Oq".utf8)))
        #expect(VitalsRun.quits(Array("aq".utf8)))
    }

    @Test("redraws immediately when the size changes, not only with the next sample")
    func redrawsAtOnce() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let vitals = try start(["--interval", "86400000", "--root", endless], in: terminal)
        try vitals.wait { $0.contains("Waiting for the first sample") }
        terminal.resize(columns: 30, rows: 4)
        // A frame ends where the next one begins, so this last frame is recognized by its lines.
        try vitals.wait { output in
            let lines = (output.components(separatedBy: Self.home).last ?? "").components(separatedBy: "\r\n")
            return lines.count == 4 && lines.last?.count == 30
        }
        vitals.send(SIGTERM)
        #expect(try vitals.waitUntilEnd().exitCode == 0)
    }

    @Test("restores the terminal on a signal", arguments: [SIGTERM, SIGHUP, SIGQUIT])
    func signal(_ signal: Int32) throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let vitals = try start(["--interval", "10", "--root", endless], in: terminal)
        try vitals.wait { $0.contains("Disk") }
        vitals.send(signal)
        let result = try vitals.waitUntilEnd()
        expect(result.exitCode, is: 0)
        expect(result.output.components(separatedBy: Self.leaves).last?.hasPrefix("Summary: "), is: true)
        #expect(terminal.echoes)
    }

    @Test("restores the terminal before it prints an error")
    func error() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let vitals = try start(["--root", "/no/such/tree"], in: terminal)
        let result = try vitals.waitUntilEnd()
        expect(result.exitCode, is: 1)
        let message = "vitals: cannot read /no/such/tree/stat: No such file or directory\r\n"
        #expect(result.output.hasSuffix(Self.leaves + message))
        #expect(terminal.echoes)
    }

    @Test("draws without colors if the user disables them")
    func withoutColours() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let arguments = ["--samples", "2", "--interval", "10", "--root", recording]
        let plain = try start(arguments, in: terminal, environment: ["NO_COLOR": "1"]).waitUntilEnd()
        #expect(!plain.output.contains(/\u{1B}\[[0-9;]*m/))
        let coloured = try start(arguments, in: try PseudoTerminal(columns: 80, rows: 24)).waitUntilEnd()
        #expect(coloured.output.contains(/\u{1B}\[[0-9;]*m/))
    }

    @Test("prints plain lines if told to, or if the terminal has no cursor control")
    func plainLines() throws {
        let arguments = ["--samples", "2", "--interval", "10", "--root", recording]
        let asked = try start(arguments + ["--plain"], in: try PseudoTerminal(columns: 80, rows: 24)).waitUntilEnd()
        let dumb = try start(
            arguments, in: try PseudoTerminal(columns: 80, rows: 24), environment: ["TERM": "dumb"]
        ).waitUntilEnd()
        expect(asked, is: dumb)
        expect(asked.output.components(separatedBy: "\r\n").count, is: 3)
        #expect(!asked.output.contains("\u{1B}"))
    }

    @Test("returns the terminal to the shell on Ctrl-Z, and takes it again afterwards")
    func suspension() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let vitals = try start(["--interval", "10", "--root", endless], in: terminal)
        try vitals.wait { $0.contains("Disk") }
        // The kernel does not stop a session leader, as no process could continue it. Everything else is as under a
        // shell.
        terminal.type("\u{1A}")
        try vitals.wait { $0.contains(Self.leaves + Self.enters) }
        vitals.send(SIGTERM)
        #expect(try vitals.waitUntilEnd().exitCode == 0)
    }
}
