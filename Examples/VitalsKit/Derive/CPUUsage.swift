/// What the CPUs did between two readings, as shares from 0 to 1.
struct CPUUsage: Sendable, Equatable {
    var machine: Shares
    /// How busy each core was, in the order of their numbers.
    ///
    /// A core that came online in between is not in it yet.
    var cores: [Double]

    /// Shares of the time that was accounted.
    struct Shares: Sendable, Equatable {
        var user: Double
        var system: Double
        var ioWait: Double
        /// What the hypervisor gave to others while this machine wanted it.
        var steal: Double
        /// All but idling and waiting for a disk.
        var busy: Double
    }

    init(from earlier: CPUTimes, to later: CPUTimes) {
        machine = Shares(from: earlier.machine, to: later.machine)
        cores = later.cores.sorted { $0.key < $1.key }.compactMap { number, ticks in
            earlier.cores[number].map { Shares(from: $0, to: ticks).busy }
        }
    }
}

extension CPUUsage.Shares {
    init(from earlier: CPUTimes.Ticks, to later: CPUTimes.Ticks) {
        func ticks(_ kind: KeyPath<CPUTimes.Ticks, UInt64>) -> Double {
            increase(from: earlier[keyPath: kind], to: later[keyPath: kind])
        }
        let userTicks = ticks(\.user) + ticks(\.nice)
        let systemTicks = ticks(\.system) + ticks(\.interrupts) + ticks(\.softInterrupts)
        let busyTicks = userTicks + systemTicks + ticks(\.steal)
        // Where no tick has passed nothing was busy either, and zero by one is zero.
        let total = max(busyTicks + ticks(\.idle) + ticks(\.ioWait), 1)
        user = userTicks / total
        system = systemTicks / total
        ioWait = ticks(\.ioWait) / total
        steal = ticks(\.steal) / total
        busy = busyTicks / total
    }
}

/// How much a counter grew.
///
/// One that fell has begun anew, or is one of those that the kernel corrects (`iowait`): what it missed is unknown, and
/// none is better than billions.
func increase(from earlier: UInt64, to later: UInt64) -> Double {
    later >= earlier ? Double(later - earlier) : 0
}
