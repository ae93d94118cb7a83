import Foundation
import TestSupport
import Testing

@Suite("Vitals, run as a program")
struct VitalsProgramTests {
    private let recording = RunningProcess.fixtures + "/recording"
    /// A tree that never ends, as the same frame is read repeatedly.
    private var endless: String { recording + "/0" }

    private func vitals(_ arguments: String...) throws -> ProcessResult {
        try runProcess("Vitals", arguments)
    }

    // MARK: Output

    @Test("prints the expected line for each sample of the recording")
    func plain() throws {
        let expected = """
                1.00s  cpu  25.0% avg  25.0%  mem  50.0% 4.0 GiB of 8.0 GiB  load 0.50  \
            net in    1.0 KiB/s out      512 B/s  disk read        0 B/s write    4.0 MiB/s  alerts none
                2.00s  cpu  80.0% avg  52.5%  mem  92.0% 7.4 GiB of 8.0 GiB  load 1.90  \
            net in    1.5 MiB/s out  100.0 KiB/s  disk read    2.0 MiB/s write        0 B/s  alerts memory
                3.50s  cpu 100.0% avg  68.3%  mem  88.0% 7.0 GiB of 8.0 GiB  load 4.20  \
            net in    2.0 MiB/s out    1.0 KiB/s  disk read        0 B/s write    2.0 MiB/s  alerts memory,load
                4.50s  cpu  95.0% avg  75.0%  mem  80.0% 6.4 GiB of 8.0 GiB  load 3.20  \
            net in    2.0 KiB/s out      340 B/s  disk read        0 B/s write        0 B/s  alerts load
                5.50s  cpu  10.0% avg  62.0%  mem  50.0% 4.0 GiB of 8.0 GiB  load 2.90  \
            net in        0 B/s out        0 B/s  disk read      512 B/s write        0 B/s  alerts none

            """
        let result = try vitals("--plain", "--samples", "5", "--interval", "10", "--root", recording)
        expect(result, is: ProcessResult(exitCode: 0, output: expected, errors: ""))
    }

    @Test("prints plain lines into a pipe by default, until the end of the recording")
    func piped() throws {
        let result = try vitals("--interval", "10", "--root", recording)
        expect(result.exitCode, is: 0)
        #expect(result.errors.isEmpty)
        expect(result.output.split(separator: "\n").count, is: 5)
    }

    @Test("prints one JSON object for each sample")
    func json() throws {
        let result = try vitals("--json", "--samples", "3", "--interval", "10", "--root", recording)
        expect(result.exitCode, is: 0)
        #expect(result.errors.isEmpty)
        let objects = try result.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        expect(objects.map { $0["time"] as? Double }, is: [1, 2, 3.5])
        expect(objects.map { $0["interval"] as? Double }, is: [1, 1, 1.5])
        expect(objects.map { ($0["cpu"] as? [String: Any])?["busy"] as? Double }, is: [25, 80, 100])
        expect(objects.map { ($0["cpu"] as? [String: Any])?["user"] as? Double }, is: [20, 60, 93.3])
        expect(objects.map { ($0["memory"] as? [String: Any])?["used"] as? Int }.first, is: 4_294_967_296)
        expect(objects.map { ($0["network"] as? [String: Any])?["in"] as? Double }, is: [1024, 1_572_864, 2_097_152])
        expect(objects.map { ($0["disk"] as? [String: Any])?["write"] as? Double }, is: [4_194_304, 0, 2_097_152])
        expect(objects.map { $0["alerts"] as? [String] }, is: [[], ["memory"], ["memory", "load"]])
    }

    @Test("reads this machine")
    func thisMachine() throws {
        let result = try vitals("--plain", "--samples", "2", "--interval", "50")
        expect(result.exitCode, is: 0)
        expect(result.output.split(separator: "\n").count, is: 2)
    }

    @Test("prints the help")
    func help() throws {
        let result = try vitals("--help")
        expect(result.exitCode, is: 0)
        #expect(result.output.contains("USAGE: Vitals [options]"))
    }

    // MARK: Failures

    @Test("ends with code 64 and one line on wrong usage", arguments: [["--bogus"], ["--samples", "x"], ["x"]])
    func usage(_ arguments: [String]) throws {
        let result = try runProcess("Vitals", arguments)
        expect(result.exitCode, is: 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("vitals: "))
        expect(result.errors.filter(\.isNewline).count, is: 1)
    }

    @Test("ends with code 1 and one line if there is no such directory")
    func missingDirectory() throws {
        let result = try vitals("--plain", "--root", "/no/such/tree")
        let message = "vitals: cannot read /no/such/tree/stat: No such file or directory\n"
        expect(result, is: ProcessResult(exitCode: 1, output: "", errors: message))
    }

    @Test("shows the samples before a malformed file, and ends with code 1 and one line")
    func malformedFile() throws {
        let copy = try TemporaryDirectory(copying: recording)
        try copy.write("cpu  1 2\n", to: "2/stat")
        let result = try vitals("--plain", "--interval", "10", "--root", copy.path)
        expect(result.exitCode, is: 1)
        expect(result.output.split(separator: "\n").count, is: 1)
        let reason = "line 1: field 4 is missing, the line has only 3"
        expect(result.errors, is: "vitals: \(copy.path)/2/stat is malformed: \(reason)\n")
    }

    @Test("ends with code 1 and one line if the recording is too short")
    func shortRecording() throws {
        let result = try vitals("--plain", "--samples", "6", "--interval", "10", "--root", recording)
        expect(result.exitCode, is: 1)
        expect(result.output.split(separator: "\n").count, is: 5)
        expect(result.errors, is: "vitals: the recording \(recording) ended after 5 of 6 samples\n")
    }

    @Test("ends silently with code 0 if its output is closed, as in `Vitals | head`")
    func closedPipe() throws {
        let process = try RunningProcess("Vitals", ["--plain", "--interval", "10", "--root", endless])
        try process.wait { $0.contains("\n") }
        process.closeOutput()
        let result = try process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        expect(result.errors, is: "")
    }

    @Test("detects a closed pipe at the last line, too")
    func closedPipeAtTheEnd() throws {
        let process = try RunningProcess(
            "Vitals", ["--plain", "--samples", "1", "--interval", "500", "--root", endless])
        process.closeOutput()
        let result = try process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        expect(result.errors, is: "")
    }

    @Test("ends with code 1 and one line if the output cannot be written")
    func fullDisk() throws {
        let process = try RunningProcess(
            "Vitals", ["--plain", "--interval", "10", "--root", endless], output: "/dev/full")
        let result = try process.waitUntilEnd()
        expect(result.exitCode, is: 1)
        expect(result.errors, is: "vitals: cannot write to standard output: No space left on device\n")
    }

    // MARK: Signals

    @Test("ends with code 0 and a summary on a signal", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signal(_ signal: Int32) throws {
        let process = try RunningProcess("Vitals", ["--plain", "--interval", "10", "--root", endless])
        try process.wait { $0.filter(\.isNewline).count >= 2 }
        process.send(signal)
        let result = try process.waitUntilEnd()
        expect(result.exitCode, is: 0)
        let samples = result.output.filter(\.isNewline).count
        #expect(result.errors.hasPrefix("Summary: \(samples) samples in "))
        for figure in ["min 0.0%, avg 0.0%, max 0.0%", "peak 4.0 GiB", "in 0 B, out 0 B", "0 raised"] {
            #expect(result.errors.contains(figure))
        }
        #expect(result.output.hasSuffix("alerts none\n"), "no line is cut off")
    }

    @Test("ends on a signal before the first sample")
    func earlySignal() throws {
        let process = try RunningProcess("Vitals", ["--json", "--interval", "86400000", "--root", endless])
        try process.waitUntilItHandles(SIGTERM)
        process.send(SIGTERM)
        let result = try process.waitUntilEnd()
        expect(result, is: ProcessResult(exitCode: 0, output: "", errors: "Summary: no samples\n"))
    }

    @Test("ends on a signal even if its output is not read")
    func blockedOutput() throws {
        let process = try RunningProcess("Vitals", ["--json", "--interval", "10", "--root", endless])
        try process.wait { $0.contains("\n") }
        let capacity = process.shrinkPipe()
        try process.waitUntilUnread(bytes: capacity - 500)
        process.send(SIGTERM)
        // Whether the program was writing when the signal arrived is left to chance. It must end in any case.
        try process.waitUntilEndWithoutReading()
    }
}
