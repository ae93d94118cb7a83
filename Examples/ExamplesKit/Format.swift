/// How numbers read, without Foundation.
package enum Format {
    /// The value with exactly so many decimals, as in "12.30".
    ///
    /// What is no number reads "-".
    package static func fixed(_ value: Double, decimals: Int = 1) -> String {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (value.magnitude * scale).rounded()
        // Beyond 2^53 a Double has no decimals to show, and beyond 2^63 it does not fit the integer below.
        guard scaled < 9e15 else { return value.isFinite ? String(value) : "-" }
        let digits = String(Int(scaled)).padded(toWidth: decimals + 1, with: "0")
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return decimals == 0 ? sign + digits : sign + digits.dropLast(decimals) + "." + digits.suffix(decimals)
    }

    /// A share from 0 to 1, as in "12.3%".
    package static func percent(_ share: Double) -> String { fixed(share * 100) + "%" }

    /// A number of things, as in "1 file" and "2 files".
    package static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    /// A number of bytes in the unit that suits it, as in "340 B" and "1.2 GiB".
    package static func bytes(_ bytes: Double) -> String {
        let (number, unit) = scaled(bytes)
        return unit.isEmpty ? "\(number) B" : "\(number) \(unit)iB"
    }

    package static func rate(_ bytesPerSecond: Double) -> String { bytes(bytesPerSecond) + "/s" }

    /// A number of bytes in as few columns as possible, as in "340" and "1.2G".
    package static func shortBytes(_ bytes: Double) -> String {
        let (number, unit) = scaled(bytes)
        return number + unit
    }

    /// Hours, minutes and seconds, as in "01:02:03".
    package static func clock(_ time: Duration) -> String {
        let seconds = time.components.seconds
        return [seconds / 3600, seconds / 60 % 60, seconds % 60]
            .map { String($0).padded(toWidth: 2, with: "0") }
            .joined(separator: ":")
    }

    private static func scaled(_ bytes: Double) -> (number: String, unit: String) {
        var value = max(bytes, 0)
        var units = ["", "K", "M", "G", "T", "P", "E"][...]
        // What would be rounded to 1024 of a unit is 1 of the next.
        while value >= (units.first == "" ? 1023.5 : 1023.95), units.count > 1 {
            value /= 1024
            units.removeFirst()
        }
        let unit = units.first ?? ""
        return (fixed(value, decimals: unit.isEmpty ? 0 : 1), unit)
    }
}

extension String {
    /// The string with blanks, or another character, before it.
    package func padded(toWidth width: Int, with character: Character = " ") -> String {
        String(repeating: character, count: max(width - count, 0)) + self
    }
}
