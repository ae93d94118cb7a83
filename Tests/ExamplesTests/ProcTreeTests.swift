import TestSupport
import Testing

@testable import VitalsKit

@Suite("Reading a tree like /proc")
struct ProcTreeTests {
    let recording = ProcTree(directory: RunningProcess.fixtures + "/recording")

    @Test("replays the frames of a recording at their original times")
    func frames() throws {
        #expect(recording.isRecording)
        let times = try (0...6).map { try recording.reading($0)?.time }
        let expected: [Duration?] = [
            .zero, .seconds(1), .seconds(2), .milliseconds(3500), .milliseconds(4500), .milliseconds(5500), nil,
        ]
        expect(times, is: expected)
    }

    @Test("reads a directory without frames repeatedly")
    func flat() throws {
        let tree = ProcTree(directory: recording.directory + "/2")
        #expect(!tree.isRecording)
        let first = try #require(try tree.reading(0))
        let second = try #require(try tree.reading(99))
        #expect(first.time < second.time)
        expect(first.stat, is: second.stat)
        expect(first.netDev.interfaces.keys.sorted(), is: ["docker0", "eth0", "lo", "veth1f2e", "wlan0"])
    }

    @Test("reports a missing file", arguments: ["stat", "meminfo", "loadavg", "net/dev", "diskstats"])
    func missingFile(_ name: String) throws {
        let copy = try TemporaryDirectory(copying: recording.directory + "/0")
        try copy.remove(name)
        let expected = VitalsError.unreadable(file: "\(copy.path)/\(name)", reason: "No such file or directory")
        #expect(throws: expected) { try ProcTree(directory: copy.path).reading(0) }
    }

    @Test("reports a file that is a directory")
    func directoryInPlaceOfAFile() throws {
        let copy = try TemporaryDirectory(copying: recording.directory + "/0")
        try copy.remove("meminfo")
        try copy.makeDirectory("meminfo")
        let expected = VitalsError.unreadable(file: "\(copy.path)/meminfo", reason: "Is a directory")
        #expect(throws: expected) { try ProcTree(directory: copy.path).reading(0) }
    }

    @Test("rejects a file that never ends")
    func endlessFile() throws {
        let copy = try TemporaryDirectory(copying: recording.directory + "/0")
        try copy.remove("stat")
        try copy.link("stat", to: "/dev/zero")
        let expected = VitalsError.unreadable(file: "\(copy.path)/stat", reason: "it is too large")
        #expect(throws: expected) { try ProcTree(directory: copy.path).reading(0) }
    }

    @Test("does not wait for a pipe without a writer")
    func pipeInPlaceOfAFile() throws {
        let copy = try TemporaryDirectory(copying: recording.directory + "/0")
        try copy.remove("loadavg")
        try copy.makePipe("loadavg")
        let expected = VitalsError.malformed(file: "\(copy.path)/loadavg", reason: "it is empty")
        #expect(throws: expected) { try ProcTree(directory: copy.path).reading(0) }
    }

    @Test("rejects a recording whose time does not advance", arguments: ["8100.99", "8101.00", "0.00"])
    func timeStandsStill(_ uptime: String) throws {
        let copy = try TemporaryDirectory(copying: recording.directory)
        try copy.write("\(uptime) 1.00\n", to: "2/uptime")
        let tree = ProcTree(directory: copy.path)
        _ = try tree.reading(1)
        let expected = VitalsError.malformed(
            file: "\(copy.path)/2/uptime", reason: "it is not later than in the previous frame")
        #expect(throws: expected) { try tree.reading(2) }
    }

    @Test("rejects an unrealistic uptime")
    func absurdUptime() throws {
        let copy = try TemporaryDirectory(copying: recording.directory)
        try copy.write("99999999999999999999999999.00 1.00\n", to: "0/uptime")
        let expected = VitalsError.malformed(
            file: "\(copy.path)/0/uptime", reason: "the uptime is too long to be real")
        #expect(throws: expected) { try ProcTree(directory: copy.path).reading(0) }
    }
}
