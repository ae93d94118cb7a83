/// A problem, and what the team has done about it so far.
package struct Incident: Codable, Equatable, Sendable {
    package enum Severity: String, Codable, CaseIterable, Sendable {
        case low, medium, high, critical
    }

    package enum Status: String, Codable, CaseIterable, Sendable {
        case open, acknowledged, resolved
    }

    /// Who changed the incident, and when.
    package struct Mark: Codable, Equatable, Sendable {
        package let by: String
        /// In milliseconds since 1970.
        package let at: Int
    }

    /// Incidents are numbered from 1.
    package let id: Int
    /// The number of its events. A request can name the version that it was made for.
    package var version: Int
    package let title: String
    package let description: String
    package let severity: Severity
    package let posted: Mark
    package var acknowledged: Mark?
    package var resolved: Mark?

    package var status: Status {
        if resolved != nil { return .resolved }
        return acknowledged == nil ? .open : .acknowledged
    }
}
