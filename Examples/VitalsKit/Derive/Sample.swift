/// One line of output: all that is known about one interval.
struct Sample: Sendable, Equatable {
    var interval: Interval
    var cpu: CPUUsage
    /// The busy share of the CPUs, averaged over the last few samples.
    var cpuAverage: Double
    var memory: MemoryUse
    var load: LoadAverage
    var network: NetworkTraffic
    var disk: DiskTraffic
    /// The names of the alerts that are raised.
    var alerts: [String]
}
