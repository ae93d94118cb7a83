/// The CPU time since boot, in ticks, of the whole machine and of each core: /proc/stat.
struct CPUTimes: Sendable, Equatable {
    var machine: Ticks
    /// By the number of the core: a core can be taken offline, and its line goes.
    var cores: [Int: Ticks]

    /// One line of ticks.
    ///
    /// `guest` and `guest_nice` are left out: the kernel has them in `user` and `nice` already.
    struct Ticks: Sendable, Equatable {
        var user: UInt64
        var nice: UInt64
        var system: UInt64
        var idle: UInt64
        var ioWait: UInt64
        var interrupts: UInt64
        var softInterrupts: UInt64
        var steal: UInt64
    }
}

extension CPUTimes {
    static func parse(_ text: String, file: String) throws(VitalsError) -> CPUTimes {
        let text = ProcText(text, file: file)
        _ = try text.firstLine()
        var machine: Ticks?
        var cores: [Int: Ticks] = [:]
        for line in text.lines {
            let name = try line.field(0)
            if name == "cpu" {
                machine = try Ticks(line)
            } else if name.hasPrefix("cpu") {
                guard let number = Int(name.dropFirst(3)), number >= 0 else {
                    throw line.malformed(name, "does not name a core")
                }
                cores[number] = try Ticks(line)
            }
        }
        guard let machine else { throw .malformed(file: file, reason: "it has no line \"cpu\"") }
        return CPUTimes(machine: machine, cores: cores)
    }
}

extension CPUTimes.Ticks {
    /// Kernels write from four to ten columns, the older the fewer.
    fileprivate init(_ line: ProcText.Line) throws(VitalsError) {
        func optional(_ index: Int) throws(VitalsError) -> UInt64 {
            index < line.fields.count ? try line.counter(index) : 0
        }
        user = try line.counter(1)
        nice = try line.counter(2)
        system = try line.counter(3)
        idle = try line.counter(4)
        ioWait = try optional(5)
        interrupts = try optional(6)
        softInterrupts = try optional(7)
        steal = try optional(8)
    }
}
