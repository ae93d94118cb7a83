/// The memory of the machine, in bytes: /proc/meminfo.
struct MemoryInfo: Sendable, Equatable {
    var total: UInt64
    /// What programs could still get without swapping; unlike the free memory, it counts caches that can be given up.
    var available: UInt64
    var swapTotal: UInt64
    var swapFree: UInt64
}

extension MemoryInfo {
    static func parse(_ text: String, file: String) throws(VitalsError) -> MemoryInfo {
        let text = ProcText(text, file: file)
        _ = try text.firstLine()
        return MemoryInfo(
            total: try bytes("MemTotal", in: text), available: try bytes("MemAvailable", in: text),
            swapTotal: try bytes("SwapTotal", in: text), swapFree: try bytes("SwapFree", in: text))
    }

    private static func bytes(_ key: String, in text: ProcText) throws(VitalsError) -> UInt64 {
        guard let line = text.lines.first(where: { $0.fields.first == "\(key):" }) else {
            throw .malformed(file: text.file, reason: "it has no line \"\(key):\"")
        }
        let kibibytes = try line.counter(1)
        guard try line.field(2) == "kB" else { throw line.malformed("\"\(key)\" is not in kB") }
        let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        guard !overflow else { throw line.malformed("\(kibibytes) kB is more than a machine can have") }
        return bytes
    }
}
