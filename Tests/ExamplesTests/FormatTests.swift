import ExamplesKit
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@testable import VitalsKit

@Suite("Numbers as text")
struct FormatTests {
    @Test(
        "rounds to the requested number of decimals",
        arguments: [
            (0, 1, "0.0"), (12.34, 1, "12.3"), (12.35, 1, "12.4"), (0.05, 2, "0.05"), (0.004, 2, "0.00"),
            (99.96, 1, "100.0"), (2.5, 0, "3"), (-1.25, 2, "-1.25"), (-0.01, 1, "0.0"), (1e16, 1, "1e+16"),
            (.infinity, 1, "-"), (.nan, 1, "-"),
        ])
    func fixed(_ value: Double, _ decimals: Int, _ text: String) {
        expect(Format.fixed(value, decimals: decimals), is: text)
    }

    @Test("counts one thing in the singular", arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files")])
    func count(_ number: Int, _ text: String) {
        expect(Format.count(number, "file"), is: text)
    }

    @Test(
        "chooses a suitable unit",
        arguments: [
            (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1023.6, "1.0 KiB"), (1024, "1.0 KiB"), (1536, "1.5 KiB"),
            (1_048_524, "1023.9 KiB"), (1_048_560, "1.0 MiB"), (5e9, "4.7 GiB"), (2e12, "1.8 TiB"), (-5, "0 B"),
            (1e24, "867361.7 EiB"),
        ])
    func bytes(_ bytes: Double, _ text: String) {
        expect(Format.bytes(bytes), is: text)
        expect(Format.rate(bytes), is: text + "/s")
    }

    @Test("needs at most seven columns for a short number of bytes", arguments: [0, 999, 1023.95 * 1024, 7e15])
    func shortBytes(_ bytes: Double) {
        #expect(Format.shortBytes(bytes).count <= 7)
        expect(Format.shortBytes(1536), is: "1.5K")
    }

    @Test(
        "formats hours, minutes and seconds", arguments: [(0, "00:00:00"), (3723, "01:02:03"), (360_000, "100:00:00")])
    func clock(_ seconds: Int, _ text: String) {
        expect(Format.clock(.seconds(seconds)), is: text)
    }

    @Test("pads to a width, and never truncates")
    func padding() {
        expect("7".padded(toWidth: 3), is: "  7")
        expect("1234".padded(toWidth: 3), is: "1234")
    }

    @Test("prints a sample on one line")
    func plainLine() {
        let line = PlainLine.text(.made(cpu: 0.25, alerts: ["cpu", "disk"]))
        #expect(
            line == """
                    1.00s  cpu  25.0% avg  25.0%  mem  25.0% 2.0 GiB of 8.0 GiB  load 0.50  \
                net in    1.0 MiB/s out    1.0 MiB/s  disk read    1.0 MiB/s write    1.0 MiB/s  alerts cpu,disk
                """)
    }

    @Test("summarizes a run")
    func report() {
        var report = Report()
        report.add(.next(.made(second: 1, cpu: 0.1)))
        report.add(.next(.made(second: 2, cpu: 0.8, alerts: ["cpu"])))
        report.add(.next(.made(second: 3, cpu: 0.6, alerts: ["cpu", "load"])))
        report.add(.next(.made(second: 4, cpu: 0.5, alerts: [])))
        #expect(report.ending == nil)
        report.add(.interrupted)
        expect(report.ending, is: .interrupted)
        #expect(
            report.text == """
                Summary: 4 samples in 4.0 s
                  cpu      min 10.0%, avg 50.0%, max 80.0%
                  memory   peak 2.0 GiB
                  network  in 4.0 MiB, out 4.0 MiB
                  disk     read 4.0 MiB, write 4.0 MiB
                  alerts   2 raised
                """)
    }

    @Test("prints no figures for a run without samples")
    func emptyReport() {
        expect(Report().text, is: "Summary: no samples")
    }
}
