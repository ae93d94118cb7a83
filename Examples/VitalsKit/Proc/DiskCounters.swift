/// What each block device has moved since boot: /proc/diskstats.
struct DiskCounters: Sendable, Equatable {
    var devices: [String: Device]

    struct Device: Sendable, Equatable {
        var bytesRead: UInt64
        var bytesWritten: UInt64
        /// How long the device had at least one request to work on.
        var busyMilliseconds: UInt64
    }
}

extension DiskCounters {
    /// An empty file is right here, and only here: a machine without disks writes one.
    static func parse(_ text: String, file: String) throws(VitalsError) -> DiskCounters {
        var devices: [String: Device] = [:]
        for line in ProcText(text, file: file).lines {
            let name = String(try line.field(2))
            devices[name] = Device(
                bytesRead: try bytes(line, 5), bytesWritten: try bytes(line, 9), busyMilliseconds: try line.counter(12))
        }
        return DiskCounters(devices: devices)
    }

    /// Sectors in this file are of 512 bytes, whatever those of the device are.
    private static func bytes(_ line: ProcText.Line, _ index: Int) throws(VitalsError) -> UInt64 {
        let sectors = try line.counter(index)
        let (bytes, overflow) = sectors.multipliedReportingOverflow(by: 512)
        guard !overflow else { throw line.malformed("\(sectors) sectors are more than a disk can have") }
        return bytes
    }
}
