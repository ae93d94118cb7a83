import ExamplesKit
import TestSupport
import Testing

@testable import VitalsKit

@Suite("Reading the text of /proc")
struct ProcParsingTests {
    @Test("reads the CPU times, without counting guests twice")
    func cpuTimes() throws {
        let text = "cpu  10 20 30 40 50 60 70 80 9 9\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu12 1 2 3 4\nintr 5 5\nctxt 12\n"
        let times = try CPUTimes.parse(text, file: "stat")
        let machine = CPUTimes.Ticks(
            user: 10, nice: 20, system: 30, idle: 40, ioWait: 50, interrupts: 60, softInterrupts: 70, steal: 80)
        expect(times.machine, is: machine)
        expect(times.cores.keys.sorted(), is: [0, 12])
        expect(times.cores[12]?.steal, is: 0, "an old kernel has only four columns")
    }

    @Test("reads the memory in bytes, in any order of lines")
    func memory() throws {
        let text = "SwapFree: 1 kB\nSwapTotal:   2 kB\nMemAvailable: 3 kB\nHugePages_Total: 0\nMemTotal: 4 kB\n"
        let expected = MemoryInfo(total: 4096, available: 3072, swapTotal: 2048, swapFree: 1024)
        #expect(try MemoryInfo.parse(text, file: "meminfo") == expected)
    }

    @Test("reads the load averages and the tasks")
    func load() throws {
        let expected = LoadAverage(one: 0.07, five: 1.5, fifteen: 20, runningTasks: 1, tasks: 84)
        #expect(try LoadAverage.parse("0.07 1.50 20.00 1/84 2844\n", file: "loadavg") == expected)
    }

    @Test("reads the bytes of an interface, even if no space follows its name")
    func netDev() throws {
        let numbers = "1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0"
        let text = """
            Inter-|   Receive            |  Transmit
             face |bytes    packets errs |bytes
                lo: \(numbers)
              eth0:\(numbers)

            """
        let bytes = NetworkCounters.Bytes(received: 1, sent: 2)
        #expect(try NetworkCounters.parse(text, file: "dev").interfaces == ["lo": bytes, "eth0": bytes])
    }

    @Test("reads sectors of 512 bytes, from old and new kernels")
    func diskstats() throws {
        let text = """
              8       0 sda 1 0 2 0 1 0 4 0 0 7 7
            259       0 nvme0n1 1 0 4 0 1 0 8 0 0 9 9 0 0 0 0 0 0

            """
        let sda = DiskCounters.Device(bytesRead: 1024, bytesWritten: 2048, busyMilliseconds: 7)
        let nvme = DiskCounters.Device(bytesRead: 2048, bytesWritten: 4096, busyMilliseconds: 9)
        #expect(try DiskCounters.parse(text, file: "diskstats").devices == ["sda": sda, "nvme0n1": nvme])
    }

    @Test("accepts a machine without disks")
    func noDisks() throws {
        #expect(try DiskCounters.parse("", file: "diskstats").devices.isEmpty)
    }

    // MARK: Malformed files

    struct Malformed: Sendable, CustomTestStringConvertible {
        var file: String
        var text: String
        var reason: String

        init(_ file: String, _ text: String, _ reason: String) {
            self.file = file
            self.text = text
            self.reason = reason
        }

        var testDescription: String { "\(file): \(reason)" }
    }

    static let malformed = [
        Malformed("stat", "", "it is empty"),
        Malformed("stat", " \n\n", "it is empty"),
        Malformed("stat", "intr 1\n", #"it has no line "cpu""#),
        Malformed("stat", "cpu0 1 2 3 4\n", #"it has no line "cpu""#),
        Malformed("stat", "intr 1\ncpu  1 2 3\n", "line 2: field 5 is missing, the line has only 4"),
        Malformed("stat", "cpu 1 2 x 4\n", #"line 1: "x" is not a counter"#),
        Malformed("stat", "cpu 1 2 3 -4\n", #"line 1: "-4" is not a counter"#),
        Malformed("stat", "cpu 1 2 3 99999999999999999999\n", #"line 1: "99999999999999999999" is not a counter"#),
        Malformed("stat", "cpufreq 1 2 3 4\n", #"line 1: "cpufreq" does not name a core"#),
        Malformed(
            "stat", "cpu " + String(repeating: "z", count: 5000),
            "line 1: \"\(String(repeating: "z", count: 40))...\" is not a counter"),
        Malformed("meminfo", "", "it is empty"),
        Malformed("meminfo", "MemTotal: 1 kB\n", #"it has no line "MemAvailable:""#),
        Malformed("meminfo", "MemTotal:\n", "line 1: field 2 is missing, the line has only 1"),
        Malformed("meminfo", "MemTotal: 1\n", "line 1: field 3 is missing, the line has only 2"),
        Malformed("meminfo", "MemTotal: 1 MB\n", #"line 1: "MemTotal" is not in kB"#),
        Malformed("meminfo", "MemTotal: many kB\n", #"line 1: "many" is not a counter"#),
        Malformed(
            "meminfo", "MemTotal: 18446744073709551615 kB\n",
            "line 1: 18446744073709551615 kB is more than a machine can have"),
        Malformed("loadavg", "", "it is empty"),
        Malformed("loadavg", "0.1 0.2\n", "line 1: field 4 is missing, the line has only 2"),
        Malformed("loadavg", "0.1 0.2 nan 1/2 3\n", #"line 1: "nan" is not a decimal number"#),
        Malformed("loadavg", "0.1 -0.2 0.3 1/2 3\n", #"line 1: "-0.2" is not a decimal number"#),
        Malformed("loadavg", "0.1 0.2 0.3 12 3\n", #"line 1: "12" is not of the form running/tasks"#),
        Malformed("loadavg", "0.1 0.2 0.3 1/2/3 3\n", #"line 1: "1/2/3" is not of the form running/tasks"#),
        Malformed("dev", "", "it is empty"),
        Malformed("dev", "eth0: 1 2 3\n", "line 1: field 11 is missing, the line has only 5"),
        Malformed("dev", "eth0: 1 2 3 4 5 6 7 8 nine 10\n", #"line 1: "nine" is not a counter"#),
        Malformed("dev", "eth0 1 2 3 4 5 6 7 8 9 10\n", "line 1: no interface is named"),
        Malformed("dev", ": 1 2 3 4 5 6 7 8 9 10\n", "line 1: no interface is named"),
        Malformed("diskstats", "8 0\n", "line 1: field 3 is missing, the line has only 2"),
        Malformed("diskstats", "8 0 sda 1 2 3\n", "line 1: field 10 is missing, the line has only 6"),
        Malformed("diskstats", "8 0 sda 1 0 x 0 1 0 4 0 0 7\n", #"line 1: "x" is not a counter"#),
        Malformed(
            "diskstats", "8 0 sda 1 0 18446744073709551615 0 1 0 4 0 0 7\n",
            "line 1: 18446744073709551615 sectors are more than a disk can have"),
    ]

    @Test("reports the file, the line and the reason of malformed text", arguments: malformed)
    func namesWhatIsMalformed(_ example: Malformed) {
        #expect(throws: VitalsError.malformed(file: example.file, reason: example.reason)) {
            switch example.file {
            case "stat": _ = try CPUTimes.parse(example.text, file: example.file)
            case "meminfo": _ = try MemoryInfo.parse(example.text, file: example.file)
            case "loadavg": _ = try LoadAverage.parse(example.text, file: example.file)
            case "dev": _ = try NetworkCounters.parse(example.text, file: example.file)
            default: _ = try DiskCounters.parse(example.text, file: example.file)
            }
        }
    }

    @Test("removes a file's control characters from the error message")
    func controlCharacters() {
        let error = VitalsError.malformed(file: "a\u{1B}[2Jb", reason: "line 1: \"\u{7}é\" is not a counter")
        expect(error.description, is: "a?[2Jb is malformed: line 1: \"?é\" is not a counter")
    }
}
