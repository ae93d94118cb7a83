import TestSupport
import Testing

@testable import VitalsKit

@Suite("Traffic between two readings")
struct TrafficTests {
    let twoSeconds = Interval(from: .seconds(1), to: .seconds(3))

    // MARK: CPU

    @Test("divides the CPU time of the interval, whatever preceded it")
    func shares() {
        let earlier = CPUTimes.Ticks(
            user: 1000, nice: 10, system: 10, idle: 5000, ioWait: 10, interrupts: 0, softInterrupts: 0, steal: 0)
        let later = CPUTimes.Ticks(
            user: 1020, nice: 20, system: 25, idle: 5030, ioWait: 20, interrupts: 2, softInterrupts: 3, steal: 10)
        let usage = CPUUsage(from: CPUTimes(machine: earlier, cores: [:]), to: CPUTimes(machine: later, cores: [:]))
        expect(usage.machine, is: .init(user: 0.30, system: 0.20, ioWait: 0.10, steal: 0.10, busy: 0.60))
    }

    @Test("treats a decreasing counter as unchanged")
    func counterFell() {
        let earlier = CPUTimes.Ticks(user: 10, idle: 10, ioWait: 100)
        let later = CPUTimes.Ticks(user: 20, idle: 20, ioWait: 90)
        let usage = CPUUsage(from: CPUTimes(machine: earlier, cores: [:]), to: CPUTimes(machine: later, cores: [:]))
        expect(usage.machine.busy, is: 0.5)
        expect(usage.machine.ioWait, is: 0)
    }

    @Test("is idle if no tick has passed")
    func noTicks() {
        let times = CPUTimes(machine: CPUTimes.Ticks(user: 5, idle: 5), cores: [:])
        expect(CPUUsage(from: times, to: times).machine.busy, is: 0)
    }

    @Test("handles counters at their limit")
    func largeCounters() {
        let zero = CPUTimes(machine: CPUTimes.Ticks(idle: 0), cores: [:])
        let most = CPUTimes(machine: CPUTimes.Ticks(user: .max, idle: .max, ioWait: .max, steal: .max), cores: [:])
        expect(CPUUsage(from: zero, to: most).machine.busy, is: 0.5)
    }

    @Test("shows the cores that both readings have, in order of their numbers")
    func cores() {
        let idle = CPUTimes.Ticks(idle: 0)
        let earlier = CPUTimes(machine: idle, cores: [0: idle, 1: idle, 10: idle])
        let later = CPUTimes(
            machine: idle,
            cores: [
                10: CPUTimes.Ticks(user: 1, idle: 0), 2: CPUTimes.Ticks(idle: 9), 0: CPUTimes.Ticks(user: 1, idle: 3),
            ])
        expect(CPUUsage(from: earlier, to: later).cores, is: [0.25, 1])
    }

    // MARK: Memory

    @Test("treats unavailable memory as used")
    func memory() {
        let use = MemoryUse(MemoryInfo(total: 1000, available: 250, swapTotal: 100, swapFree: 40))
        expect(use.used, is: 750)
        expect(use.swapUsed, is: 60)
        expect(use.share, is: 0.75)
    }

    @Test("has used nothing if more memory is available than exists, or if there is none")
    func oddMemory() {
        expect(MemoryUse(MemoryInfo(total: 10, available: 20, swapTotal: 0, swapFree: 5)).used, is: 0)
        expect(MemoryUse(MemoryInfo(total: 0, available: 0, swapTotal: 0, swapFree: 0)).share, is: 0)
    }

    // MARK: Network

    private func network(
        _ earlier: [String: (UInt64, UInt64)], _ later: [String: (UInt64, UInt64)]
    ) -> NetworkTraffic {
        func counters(_ bytes: [String: (UInt64, UInt64)]) -> NetworkCounters {
            NetworkCounters(interfaces: bytes.mapValues { .init(received: $0.0, sent: $0.1) })
        }
        return NetworkTraffic(from: counters(earlier), to: counters(later), over: twoSeconds)
    }

    @Test("divides the bytes by the actual time between the readings")
    func rate() {
        let total = network(["eth0": (100, 10)], ["eth0": (300, 20)]).total
        expect(total.inPerSecond, is: 100)
        expect(total.outPerSecond, is: 5)
    }

    @Test("excludes lo from the total, but shows it")
    func loopback() {
        let traffic = network(["lo": (0, 0), "eth0": (0, 0)], ["lo": (500, 500), "eth0": (1, 2)])
        expect(traffic.total, is: Transfer(bytesIn: 1, bytesOut: 2, seconds: 2))
        expect(traffic.interfaces["lo"]?.bytesIn, is: 500)
    }

    @Test("counts nothing for an interface that has just appeared, disappeared or been reset")
    func comingAndGoing() {
        let traffic = network(
            ["eth0": (1000, 10), "eth1": (5, 5)], ["eth0": (3, 20), "eth2": (7000, 7000)])
        expect(traffic.total, is: Transfer(bytesIn: 0, bytesOut: 0, seconds: 2))
        expect(traffic.interfaces.keys.sorted(), is: ["eth0"])
    }

    @Test(
        "counts each byte once",
        arguments: [
            (["lo", "eth0", "wlan0"], ["eth0", "wlan0"]),
            (["lo", "enp3s0", "docker0", "veth12", "br-1f", "tun0", "ifb0", "wg0"], ["enp3s0"]),
            (["eth0", "eth0.100", "bond0"], ["eth0"]),
            (["lo", "tap0"], ["tap0"]),
            (["eth0.5"], ["eth0.5"]),
            (["lo"], []),
        ])
    func countedInterfaces(_ names: [String], _ counted: [String]) {
        expect(NetworkTraffic.counted(names), is: Set(counted))
    }

    // MARK: Disks

    @Test(
        "distinguishes whole disks from partitions and composite disks",
        arguments: [
            (["sda", "sda1", "sda2", "sda15", "sdaa", "sdaa1"], ["sda", "sdaa"]),
            (["nvme0n1", "nvme0n1p1", "nvme0n1p12", "nvme1n1"], ["nvme0n1", "nvme1n1"]),
            (["mmcblk0", "mmcblk0p1", "mmcblk0boot0"], ["mmcblk0", "mmcblk0boot0"]),
            (["vda", "vda1", "dm-0", "md0", "md127p1", "loop0", "ram0", "zram0"], ["vda"]),
            (["xvda1", "xvdb"], ["xvda1", "xvdb"]),
            (["sr0", "nbd1", "nbd11"], ["sr0", "nbd1", "nbd11"]),
            (["sdp1", "sdp"], ["sdp"]),
            (["", "1", "p1", "p"], ["", "p"]),
        ])
    func wholeDisks(_ names: [String], _ disks: [String]) {
        expect(DiskTraffic.wholeDisks(names), is: Set(disks))
    }

    private func device(_ read: UInt64, _ written: UInt64, busy: UInt64 = 0) -> DiskCounters.Device {
        .init(bytesRead: read, bytesWritten: written, busyMilliseconds: busy)
    }

    @Test("adds up whole disks, and is as busy as the busiest one")
    func disks() {
        let traffic = DiskTraffic(
            from: DiskCounters(devices: ["sda": device(0, 0), "sda1": device(0, 0), "sdb": device(10, 10)]),
            to: DiskCounters(
                devices: [
                    "sda": device(2000, 0, busy: 500), "sda1": device(2000, 0, busy: 500),
                    "sdb": device(10, 4010, busy: 1000), "sdc": device(99, 99, busy: 9999),
                ]),
            over: twoSeconds)
        expect(traffic.total.inPerSecond, is: 1000)
        expect(traffic.total.outPerSecond, is: 2000)
        expect(traffic.busy, is: 0.5)
    }

    @Test("is never busy for longer than the interval")
    func busyForLonger() {
        let traffic = DiskTraffic(
            from: DiskCounters(devices: ["sda": device(0, 0)]),
            to: DiskCounters(devices: ["sda": device(0, 0, busy: 60_000)]), over: twoSeconds)
        expect(traffic.busy, is: 1)
    }
}
