/// What the disks read and wrote during an interval.
struct DiskTraffic: Sendable, Equatable {
    /// Every whole disk that was there at both ends of the interval.
    var disks: [String: Transfer]
    var total: Transfer
    /// The share of the interval, from 0 to 1, in which the busiest disk had something to do.
    var busy: Double

    init(from earlier: DiskCounters, to later: DiskCounters, over interval: Interval) {
        disks = [:]
        busy = 0
        for name in Self.wholeDisks(later.devices.keys) {
            guard let before = earlier.devices[name], let now = later.devices[name] else { continue }
            disks[name] = Transfer(
                in: (before.bytesRead, now.bytesRead), out: (before.bytesWritten, now.bytesWritten), over: interval)
            let milliseconds = increase(from: before.busyMilliseconds, to: now.busyMilliseconds)
            // The kernel counts the time of a long request when it ends, which may exceed the interval.
            busy = max(busy, min(milliseconds / 1000 / max(interval.seconds, .ulpOfOne), 1))
        }
        total = .sum(disks.values, over: interval)
    }

    /// The names without partitions, whose bytes their disk counts too, and without the devices that are built out of
    /// other disks or of memory.
    static func wholeDisks(_ names: some Sequence<String>) -> Set<String> {
        let all = Set(names)
        return all.filter { name in
            !isPartition(name, among: all) && !stackedPrefixes.contains { name.hasPrefix($0) }
        }
    }

    /// The kernel names a partition after its disk and its number, with a `p` in between if the disk ends in a digit:
    /// `sda1`, `nvme0n1p1`.
    ///
    /// A name like that without its disk, as `xvda1` on some clouds, is a disk itself.
    private static func isPartition(_ name: String, among all: Set<String>) -> Bool {
        let stem = name.trimmingLast { $0.isASCII && $0.isNumber }
        guard stem.count < name.count else { return false }
        if stem.last == "p", stem.dropLast().last?.isNumber == true { return all.contains(String(stem.dropLast())) }
        return all.contains(String(stem))
    }

    private static let stackedPrefixes = ["bcache", "dm-", "drbd", "loop", "md", "ram", "zd", "zram"]
}

extension String {
    fileprivate func trimmingLast(_ isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
