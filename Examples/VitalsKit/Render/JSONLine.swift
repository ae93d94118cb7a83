import ExamplesKit

/// A sample as one JSON object: times in seconds, amounts in bytes, rates in bytes a second, shares in percent.
enum JSONLine {
    static func text(_ sample: Sample) -> String {
        JSON.object([
            ("time", seconds(sample.interval.end.seconds)),
            ("interval", seconds(sample.interval.seconds)),
            ("cpu", cpu(sample)),
            ("memory", memory(sample.memory)),
            ("load", load(sample.load)),
            ("network", network(sample.network)),
            ("disk", disk(sample.disk)),
            ("alerts", .array(sample.alerts.map { .string($0) })),
        ]).text
    }

    private static func cpu(_ sample: Sample) -> JSON {
        let machine = sample.cpu.machine
        return .object([
            ("busy", percent(machine.busy)), ("average", percent(sample.cpuAverage)), ("user", percent(machine.user)),
            ("system", percent(machine.system)), ("iowait", percent(machine.ioWait)), ("steal", percent(machine.steal)),
            ("cores", .array(sample.cpu.cores.map(percent))),
        ])
    }

    private static func memory(_ memory: MemoryUse) -> JSON {
        .object([
            ("total", .integer(memory.total)), ("used", .integer(memory.used)), ("percent", percent(memory.share)),
            ("swapTotal", .integer(memory.swapTotal)), ("swapUsed", .integer(memory.swapUsed)),
        ])
    }

    private static func load(_ load: LoadAverage) -> JSON {
        .object([
            ("one", .number(load.one, decimals: 2)), ("five", .number(load.five, decimals: 2)),
            ("fifteen", .number(load.fifteen, decimals: 2)), ("running", .integer(load.runningTasks)),
            ("tasks", .integer(load.tasks)),
        ])
    }

    private static func network(_ network: NetworkTraffic) -> JSON {
        .object([
            ("in", rate(network.total.inPerSecond)), ("out", rate(network.total.outPerSecond)),
            ("interfaces", devices(network.interfaces, "in", "out")),
        ])
    }

    private static func disk(_ disk: DiskTraffic) -> JSON {
        .object([
            ("read", rate(disk.total.inPerSecond)), ("write", rate(disk.total.outPerSecond)),
            ("busy", percent(disk.busy)), ("disks", devices(disk.disks, "read", "write")),
        ])
    }

    private static func devices(_ devices: [String: Transfer], _ nameIn: String, _ nameOut: String) -> JSON {
        .object(
            devices.sorted { $0.key < $1.key }.map { name, transfer in
                (name, .object([(nameIn, rate(transfer.inPerSecond)), (nameOut, rate(transfer.outPerSecond))]))
            })
    }

    private static func seconds(_ seconds: Double) -> JSON { .number(seconds, decimals: 3) }
    private static func percent(_ share: Double) -> JSON { .number(share * 100, decimals: 1) }
    private static func rate(_ rate: Double) -> JSON { .number(rate, decimals: 1) }
}
