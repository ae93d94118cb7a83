import ExamplesKit

/// A sample as one line of text, in columns of fixed width.
enum PlainLine {
    static func text(_ sample: Sample) -> String {
        let time = Format.fixed(sample.interval.end.seconds, decimals: 2).padded(toWidth: 8)
        let memory = sample.memory
        let rates = [
            sample.network.total.inPerSecond, sample.network.total.outPerSecond, sample.disk.total.inPerSecond,
            sample.disk.total.outPerSecond,
        ].map { Format.rate($0).padded(toWidth: 12) }
        return [
            "\(time)s",
            "cpu \(percent(sample.cpu.machine.busy)) avg \(percent(sample.cpuAverage))",
            "mem \(percent(memory.share)) \(Format.bytes(Double(memory.used))) of \(Format.bytes(Double(memory.total)))",
            "load \(Format.fixed(sample.load.one, decimals: 2))",
            "net in \(rates[0]) out \(rates[1])",
            "disk read \(rates[2]) write \(rates[3])",
            "alerts \(sample.alerts.isEmpty ? "none" : sample.alerts.joined(separator: ","))",
        ].joined(separator: "  ")
    }

    private static func percent(_ share: Double) -> String { Format.percent(share).padded(toWidth: 6) }
}
