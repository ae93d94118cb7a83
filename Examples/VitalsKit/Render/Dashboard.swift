import ExamplesKit

/// Draws a screen at a size: a header, a panel each for CPU, memory, network and disk, and the alerts.
struct Dashboard {
    private let screen: Screen
    private let size: TerminalSize

    /// As many lines as the terminal has rows, each as wide as it has columns.
    static func lines(_ screen: Screen, size: TerminalSize) -> [StyledLine] {
        let dashboard = Dashboard(screen: screen, size: size)
        let lines = dashboard.content().prefix(size.rows).map { $0.fitted(to: size.columns) }
        let blank = StyledLine().fitted(to: size.columns)
        return lines + Array(repeating: blank, count: max(size.rows - lines.count, 0))
    }

    private func content() -> [StyledLine] {
        guard let sample = screen.latest else {
            return [StyledLine("Vitals", .title), StyledLine("Waiting for the first sample", .faint)]
        }
        let panels = [cpu(sample), memory(sample), network(sample), disk(sample)]
        let logRows = size.rows >= 30 ? 4 : size.rows > panels.count + 1 ? 1 : 0
        let panelRows = max(size.rows - 1 - logRows, panels.count)
        let drawn = panels.enumerated().flatMap { index, panel in
            // The panels share the rows evenly, and the first ones take what is left over.
            panel.lines(rows: (panelRows + panels.count - 1 - index) / panels.count, columns: size.columns)
        }
        return [header(sample)] + drawn + alertLog(rows: logRows)
    }

    private func header(_ sample: Sample) -> StyledLine {
        var line = StyledLine("Vitals", .title)
        line.append(" " + Format.clock(sample.interval.end))
        if !sample.alerts.isEmpty {
            line.append("  ALERT " + sample.alerts.joined(separator: " "), .danger)
        }
        let load = sample.load
        let averages = [load.one, load.five, load.fifteen].map { Format.fixed($0, decimals: 2) }
        line.append("  load " + averages.joined(separator: " "), ifFits: size.columns)
        line.append("  \(load.runningTasks)/\(load.tasks) tasks running", .faint, ifFits: size.columns)
        line.append("  sample \(screen.samples)", .faint, ifFits: size.columns)
        line.append("  q quits", .faint, ifFits: size.columns)
        return line
    }

    // MARK: Panels

    private func cpu(_ sample: Sample) -> Panel {
        let shares = sample.cpu.machine
        var details = [
            ("avg " + Format.percent(sample.cpuAverage), Tone.normal),
            ("user " + Format.percent(shares.user), .faint), ("sys " + Format.percent(shares.system), .faint),
            ("wait " + Format.percent(shares.ioWait), .faint), ("steal " + Format.percent(shares.steal), .faint),
        ]
        if sample.cpu.cores.count > 1 {
            let cores = sample.cpu.cores.map { Sparkline.row([$0], width: 1, top: 1) }.joined()
            details.append(("cores \(cores)", .good))
        }
        return Panel(
            name: "CPU", gauge: shares.busy, details: details,
            graphs: [Graph(values: screen.history.cpu, top: 1, tone: .good, levels: .cpu)])
    }

    private func memory(_ sample: Sample) -> Panel {
        let memory = sample.memory
        let swap = "swap \(Format.bytes(Double(memory.swapUsed))) of \(Format.bytes(Double(memory.swapTotal)))"
        return Panel(
            name: "Memory", gauge: memory.share,
            details: [
                ("\(Format.bytes(Double(memory.used))) of \(Format.bytes(Double(memory.total)))", .normal),
                (memory.swapTotal == 0 ? "no swap" : swap, .faint),
            ],
            graphs: [Graph(values: screen.history.memory, top: 1, tone: .memory, levels: .memory)])
    }

    private func network(_ sample: Sample) -> Panel {
        Panel(
            name: "Network", gauge: nil, details: [],
            graphs: [
                .rates(screen.history.received, "in", .incoming), .rates(screen.history.sent, "out", .outgoing),
            ])
    }

    private func disk(_ sample: Sample) -> Panel {
        Panel(
            name: "Disk", gauge: nil, details: [("busy " + Format.percent(sample.disk.busy), .faint)],
            graphs: [
                .rates(screen.history.read, "read", .incoming), .rates(screen.history.written, "write", .outgoing),
            ])
    }

    private func alertLog(rows: Int) -> [StyledLine] {
        guard rows > 0 else { return [] }
        var lines: [StyledLine] = []
        for change in screen.alertLog.prefix(rows) {
            var line = StyledLine(lines.isEmpty ? "Alerts   " : "         ", .title)
            line.append(Format.clock(change.time) + " ", .faint)
            line.append(
                "\(change.rule.name) \(change.isRaised ? "raised" : "cleared")", change.isRaised ? .danger : .good)
            line.append(" at \(Format.fixed(change.level, decimals: 2))", .faint)
            lines.append(line)
        }
        if lines.isEmpty {
            var line = StyledLine("Alerts   ", .title)
            line.append("none yet", .faint)
            lines.append(line)
        }
        return lines
    }
}
