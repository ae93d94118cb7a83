import Foundation

/// One measurement of a sensor.
package struct Reading: Hashable, Sendable {
    package let sensor: String
    package let value: Double
    /// In milliseconds since 1970.
    package let at: Int

    package init(sensor: String, value: Double, at: Int) {
        self.sensor = sensor
        self.value = value
        self.at = at
    }

    package static let systemTime: @Sendable () -> Int = { Int(Date().timeIntervalSince1970 * 1_000) }
}

/// A measurement as a client sends it. Any field may be missing or wrong.
package struct Draft: Decodable, Sendable {
    package var sensor: String?
    package var value: Double?
    /// In milliseconds since 1970. By default, the time at which the server receives it.
    package var at: Int?

    package static let sensorLimit = 100

    package init(sensor: String? = nil, value: Double? = nil, at: Int? = nil) {
        self.sensor = sensor
        self.value = value
        self.at = at
    }

    /// Returns the measurement, or the problem of each invalid field.
    package func checked(now: Int) -> Result<Reading, InvalidDraft> {
        var problems: [String: String] = [:]
        let sensor = sensor ?? ""
        // SQLite's functions end a text at a NUL, and other control characters could disguise one sensor as another.
        if sensor.isEmpty || sensor.utf8.count > Self.sensorLimit || sensor.unicodeScalars.contains(where: isControl) {
            problems["sensor"] = "must be a text of 1 to \(Self.sensorLimit) bytes without control characters"
        }
        if value?.isFinite != true { problems["value"] = "must be a number" }
        if let at, at < 0 { problems["at"] = "must be a number of milliseconds since 1970" }
        guard problems.isEmpty, let value else { return .failure(InvalidDraft(problems: problems)) }
        return .success(Reading(sensor: sensor, value: value, at: at ?? now))
    }
}

/// Whether a character is a control character, or changes the direction of the text around it.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
}

/// The problem of each invalid field.
package struct InvalidDraft: Error, Equatable {
    package let problems: [String: String]
}
