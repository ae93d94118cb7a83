import ReactiveSignals

/// How samples and alerts come out of readings.
///
/// This is the file to read first: everything else in VitalsKit either makes the readings that go in here or shows the
/// samples that come out.
///
///     readings  --0------1------2------3--     what /proc said
///     samples   ---------1------2------3--     what happened in between
///
/// Nothing here runs by itself. A signal is hot: somebody sends a reading, and before that call returns the reading has
/// flowed through all of these lines.
struct VitalSigns: Sendable {
    typealias Stream<Value: Sendable> = Signal<Value, VitalsError>

    /// One for every reading but the first.
    var samples: Stream<Sample>

    /// An alert that has just been raised or cleared.
    let alertChanges: Stream<AlertState>

    init(readings: Stream<Reading>) {
        // Each file of /proc is a signal of its own.
        let stat = readings.map(\.stat)
        let meminfo = readings.map(\.meminfo)
        let loadavg = readings.map(\.loadavg)
        let netDev = readings.map(\.netDev)
        let diskstats = readings.map(\.diskstats)

        // The kernel counts from boot on. What happened lately is the difference between two readings.
        let interval = readings.map(\.time).combinePrevious().map { Interval(from: $0, to: $1) }
        let cpu = stat.combinePrevious().map { CPUUsage(from: $0, to: $1) }

        // `zip` pairs the first with the first and the second with the second, so both belong to the same interval.
        // `combineLatest` would send once for each of its inputs, and pair the new counters with the old interval.
        let network = Signal.zip(netDev.combinePrevious(), interval).map { counters, interval in
            NetworkTraffic(from: counters.0, to: counters.1, over: interval)
        }
        let disk = Signal.zip(diskstats.combinePrevious(), interval).map { counters, interval in
            DiskTraffic(from: counters.0, to: counters.1, over: interval)
        }

        // These need no difference, so they would be one value ahead of the others.
        let memory = meminfo.map { MemoryUse($0) }.skip(first: 1)
        let load = loadavg.skip(first: 1)

        // An alert watches a level. Averages keep a short peak from raising one.
        let cpuAverage = cpu.map(\.machine.busy).slidingAverage(over: 5)
        let diskAverage = disk.map(\.busy).slidingAverage(over: 5)
        let loadOfCore = Signal.zip(load, cpu).map { load, cpu in load.one / Double(max(cpu.cores.count, 1)) }
        let alerts = [
            Self.alert(.cpu, on: cpuAverage, at: interval),
            Self.alert(.memory, on: memory.map(\.share), at: interval),
            Self.alert(.load, on: loadOfCore, at: interval),
            Self.alert(.disk, on: diskAverage, at: interval),
        ]
        let raised = Signal.zip(alerts).map { alerts in alerts.filter(\.isRaised).map(\.rule.name) }

        samples = Signal.zip(interval, cpu, cpuAverage, memory, load, network, disk, raised)
            .map { interval, cpu, cpuAverage, memory, load, network, disk, raised in
                Sample(
                    interval: interval, cpu: cpu, cpuAverage: cpuAverage, memory: memory, load: load, network: network,
                    disk: disk, alerts: raised)
            }
            .named("samples")
        alertChanges = Signal.merge(alerts.map { $0.filter(\.hasChanged) }).named("alertChanges")
    }

    /// The state of one alert, once a sample.
    ///
    /// `scan` hands each state to the next: that is what hysteresis needs.
    private static func alert(
        _ rule: AlertRule, on level: Stream<Double>, at interval: Stream<Interval>
    ) -> Stream<AlertState> {
        Signal.zip(level, interval).scan(AlertState(rule)) { state, measured in
            state.after(measured.0, at: measured.1.end)
        }
    }
}
