/// One change of the board, as it is stored and sent to browsers.
package struct BoardEvent: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case posted, acknowledged, resolved
    }

    /// Events are numbered from 1, without gaps.
    package let sequence: Int
    /// In milliseconds since 1970.
    package let at: Int
    package let kind: Kind
    /// The status before the change; `nil` if the incident is new. With it, a client can update its counters without
    /// knowing all incidents.
    package let from: Incident.Status?
    /// The incident after the change.
    package let incident: Incident
}
