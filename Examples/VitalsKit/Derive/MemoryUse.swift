/// How much of the memory is taken, in bytes.
struct MemoryUse: Sendable, Equatable {
    var total: UInt64
    var used: UInt64
    var swapTotal: UInt64
    var swapUsed: UInt64

    init(_ info: MemoryInfo) {
        total = info.total
        used = info.total - min(info.available, info.total)
        swapTotal = info.swapTotal
        swapUsed = info.swapTotal - min(info.swapFree, info.swapTotal)
    }

    /// The share that is taken, from 0 to 1.
    var share: Double { total == 0 ? 0 : Double(used) / Double(total) }
}
