/// All that Vitals reads, at one moment.
struct Reading: Sendable, Equatable {
    /// When, counted from the first reading on a clock that only ever goes forward.
    var time: Duration
    var stat: CPUTimes
    var meminfo: MemoryInfo
    var loadavg: LoadAverage
    var netDev: NetworkCounters
    var diskstats: DiskCounters
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
