@testable import VitalsKit

extension Reading {
    /// The reading of an idle machine with two cores, 1000 bytes of memory, one interface and one disk.
    static func idle(at seconds: Int) -> Reading {
        let idle = CPUTimes.Ticks(idle: 1000)
        return Reading(
            time: .seconds(seconds),
            stat: CPUTimes(machine: CPUTimes.Ticks(idle: 2000), cores: [0: idle, 1: idle]),
            meminfo: MemoryInfo(total: 1000, available: 600, swapTotal: 0, swapFree: 0),
            loadavg: LoadAverage(one: 0.5, five: 0.25, fifteen: 0.125, runningTasks: 1, tasks: 100),
            netDev: NetworkCounters(interfaces: ["eth0": .init(received: 0, sent: 0)]),
            diskstats: DiskCounters(devices: ["sda": .init(bytesRead: 0, bytesWritten: 0, busyMilliseconds: 0)]))
    }
}

extension CPUTimes.Ticks {
    init(user: UInt64 = 0, idle: UInt64, ioWait: UInt64 = 0, steal: UInt64 = 0) {
        self.init(
            user: user, nice: 0, system: 0, idle: idle, ioWait: ioWait, interrupts: 0, softInterrupts: 0, steal: steal)
    }
}

extension Sample {
    /// The sample of a second in which the machine was busy for the share `cpu` and transferred one MiB of
    /// everything.
    static func made(second: Int = 1, cpu: Double = 0.25, alerts: [String] = []) -> Sample {
        let interval = Interval(from: .seconds(second - 1), to: .seconds(second))
        let busy = UInt64(cpu * 1000)
        let ticks = (CPUTimes.Ticks(idle: 0), CPUTimes.Ticks(user: busy, idle: 1000 - busy))
        let bytes: UInt64 = 1 << 20
        return Sample(
            interval: interval,
            cpu: CPUUsage(
                from: CPUTimes(machine: ticks.0, cores: [0: ticks.0, 1: ticks.0]),
                to: CPUTimes(machine: ticks.1, cores: [0: ticks.1, 1: ticks.1])),
            cpuAverage: cpu,
            memory: MemoryUse(MemoryInfo(total: 8 << 30, available: 6 << 30, swapTotal: 0, swapFree: 0)),
            load: LoadAverage(one: 0.5, five: 0.25, fifteen: 0.125, runningTasks: 1, tasks: 100),
            network: NetworkTraffic(
                from: NetworkCounters(interfaces: ["eth0": .init(received: 0, sent: 0)]),
                to: NetworkCounters(interfaces: ["eth0": .init(received: bytes, sent: bytes)]), over: interval),
            disk: DiskTraffic(
                from: DiskCounters(devices: ["sda": .init(bytesRead: 0, bytesWritten: 0, busyMilliseconds: 0)]),
                to: DiskCounters(devices: ["sda": .init(bytesRead: bytes, bytesWritten: bytes, busyMilliseconds: 5)]),
                over: interval),
            alerts: alerts)
    }
}

extension Screen {
    /// The screen after this number of samples of a machine that becomes busier with each sample.
    static func made(samples: Int, alerts: [String] = []) -> Screen {
        var screen = Screen()
        for number in 0..<samples {
            let sample = Sample.made(second: number + 1, cpu: Double(number + 1) / Double(samples), alerts: alerts)
            screen.apply(.sample(sample))
        }
        return screen
    }
}
