import ExamplesKit
import TestSupport
import Testing

@testable import VitalsKit

@Suite("The dashboard")
struct DashboardTests {
    private func text(_ screen: Screen, _ columns: Int, _ rows: Int) -> [String] {
        Dashboard.lines(screen, size: TerminalSize(columns: columns, rows: rows)).map(\.text)
    }

    private func trimmed(_ lines: [String]) -> [String] {
        lines.map { line in
            var line = line[...]
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    @Test("fills terminals of every size exactly, with and without samples")
    func everySize() {
        for screen in [Screen(), .made(samples: 1), .made(samples: 300, alerts: ["cpu", "memory", "load", "disk"])] {
            for (columns, rows) in [(1, 1), (3, 2), (20, 5), (39, 9), (40, 12), (80, 24), (200, 50), (1500, 200)] {
                let lines = text(screen, columns, rows)
                expect(lines.count, is: rows)
                #expect(lines.allSatisfy { $0.count == columns })
            }
        }
    }

    @Test("waits for the first sample")
    func waiting() {
        expect(trimmed(text(Screen(), 40, 3)), is: ["Vitals", "Waiting for the first sample", ""])
    }

    @Test("has a row for each vital sign on a tiny terminal")
    func tiny() {
        expect(
            text(.made(samples: 4), 20, 5),
            is: [
                "Vitals 00:00:04     ",
                "CPU 100.0%      ▂▄▆█",
                "Mem  25.0%      ▂▂▂▂",
                "Net i  1.0M o  1.0M ",
                "Dis r  1.0M w  1.0M ",
            ])
    }

    @Test("has graphs on a small terminal")
    func small() {
        expect(
            trimmed(text(.made(samples: 4), 40, 12)),
            is: [
                "Vitals 00:00:04  load 0.50 0.25 0.13",
                "CPU      100.0% █████  avg 100.0%",
                "                                      ▄█",
                "                                    ▄███",
                "Memory    25.0% █▎···",
                "",
                "                                    ▄▄▄▄",
                "Network  in 1.0M     out 1.0 MiB/s",
                "               ████                 ████",
                "Disk     read 1.0M   write 1.0 MiB/s",
                "               ████                 ████",
                "Alerts   none yet",
            ])
    }

    @Test("shows details if there is room for them")
    func details() {
        let wide = text(.made(samples: 4), 200, 50).joined(separator: "\n")
        for detail in ["avg", "user", "sys", "wait", "steal", "cores ██", "2.0 GiB of 8.0 GiB", "peak", "busy 0.5%"] {
            #expect(wide.contains(detail))
        }
        #expect(!text(.made(samples: 4), 40, 12).joined().contains("peak"))
    }

    @Test("lists the raised alerts in the header, at any size", arguments: [(30, 3), (80, 24)])
    func alerts(_ columns: Int, _ rows: Int) {
        #expect(text(.made(samples: 1, alerts: ["cpu"]), columns, rows)[0].hasPrefix("Vitals 00:00:01  ALERT cpu "))
    }

    @Test("lists the latest changes of alerts, newest first")
    func alertLog() {
        var screen = Screen.made(samples: 1)
        let raised = AlertState(.cpu).after(0.9, at: .seconds(61))
        screen.apply(.alert(raised))
        screen.apply(.alert(raised.after(0.6, at: .seconds(62))))
        let log = trimmed(text(screen, 80, 40)).suffix(4).prefix(2)
        expect(log, is: ["Alerts   00:01:02 cpu cleared at 0.60", "         00:01:01 cpu raised at 0.90"])
        expect(trimmed(text(screen, 80, 24)).last, is: "Alerts   00:01:02 cpu cleared at 0.60")
    }

    @Test("keeps no more samples than a wide screen can show")
    func history() {
        let screen = Screen.made(samples: Screen.History.capacity + 10)
        expect(screen.history.cpu.count, is: Screen.History.capacity)
        expect(screen.samples, is: Screen.History.capacity + 10)
    }

    // MARK: Styled lines

    @Test("truncates and pads a line to the width")
    func fitting() {
        var line = StyledLine("abc", .title)
        line.append("def", .faint)
        expect(line.fitted(to: 4).text, is: "abcd")
        expect(line.fitted(to: 2).pieces.count, is: 1)
        expect(line.fitted(to: 8).text, is: "abcdef  ")
        #expect(line.fitted(to: 0).text.isEmpty)
    }

    @Test("merges adjacent pieces of one tone, and omits pieces that do not fit")
    func appending() {
        var line = StyledLine("a")
        line.append("b")
        line.append("", .danger)
        line.append("cde", .danger, ifFits: 4)
        expect(line.pieces.count, is: 1)
        line.append("cd", .danger, ifFits: 4)
        expect(line.text, is: "abcd")
    }

    @Test("colors with escape sequences, unless colors are disabled")
    func encoding() {
        var line = StyledLine("a ")
        line.append("b", .danger)
        expect(line.encoded(colored: true), is: "a \u{1B}[0;31mb\u{1B}[0m")
        expect(line.encoded(colored: false), is: "a b")
    }
}
