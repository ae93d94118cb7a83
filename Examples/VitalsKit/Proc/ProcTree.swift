import ExamplesKit

/// Where the readings come from: /proc itself or a directory like it, or a recording of several such directories.
struct ProcTree: Sendable {
    let directory: String
    /// A recording holds directories `0`, `1`, `2` ..., each a /proc of its moment.
    let isRecording: Bool

    private let clock = SuspendingClock()
    private let start: SuspendingClock.Instant

    init(directory: String) {
        self.directory = directory
        isRecording = !System.exists("\(directory)/stat") && System.exists("\(directory)/0")
        start = clock.now
    }

    /// The reading with this number, counted from 0, or nil if the recording has no more.
    func reading(_ number: Int) throws(VitalsError) -> Reading? {
        guard isRecording else { return try reading(in: directory, at: clock.now - start) }
        let frame = "\(directory)/\(number)"
        guard System.exists(frame) else { return nil }
        let uptime = try uptime(in: frame)
        if number > 0, try self.uptime(in: "\(directory)/\(number - 1)") >= uptime {
            throw .malformed(file: "\(frame)/uptime", reason: "it is not later than in the previous frame")
        }
        return try reading(in: frame, at: uptime - self.uptime(in: "\(directory)/0"))
    }

    private func reading(in directory: String, at time: Duration) throws(VitalsError) -> Reading {
        Reading(
            time: time,
            stat: try read("stat", in: directory, CPUTimes.parse),
            meminfo: try read("meminfo", in: directory, MemoryInfo.parse),
            loadavg: try read("loadavg", in: directory, LoadAverage.parse),
            netDev: try read("net/dev", in: directory, NetworkCounters.parse),
            diskstats: try read("diskstats", in: directory, DiskCounters.parse))
    }

    /// A frame was taken at the moment that its own `uptime` states, however fast it is played back.
    private func uptime(in directory: String) throws(VitalsError) -> Duration {
        let seconds = try read("uptime", in: directory) { text, file throws(VitalsError) in
            try ProcText(text, file: file).firstLine().decimal(0)
        }
        guard seconds < 1e9 else {
            throw .malformed(file: "\(directory)/uptime", reason: "the uptime is too long to be real")
        }
        return .milliseconds(Int((seconds * 1000).rounded()))
    }

    private func read<Value>(
        _ name: String, in directory: String, _ parse: (_ text: String, _ file: String) throws(VitalsError) -> Value
    ) throws(VitalsError) -> Value {
        let file = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
        let text: String
        do {
            text = try System.contents(of: file)
        } catch {
            throw .unreadable(file: file, reason: error.description)
        }
        return try parse(text, file)
    }
}
