/// Formats numbers for people.
enum Format {
    /// As in "340 B" and "1.2 GiB".
    static func bytes(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = ""
        // A value that would be rounded to 1024 of a unit is shown as 1 of the next unit.
        for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] where value >= 1023.95 || unit.isEmpty {
            value /= 1024
            unit = next
        }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// As in "1.5 s" and "0.25 s".
    static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { return "\(seconds) s" }
        var digits = String(1000 + milliseconds).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(seconds).\(digits) s"
    }
}
