/// One change of the board: what the database keeps, and what browsers are sent.
package struct BoardEvent: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case posted, acknowledged, resolved
    }

    /// Ascends by one from event to event.
    package let sequence: Int
    /// In milliseconds since 1970.
    package let at: Int
    package let kind: Kind
    /// What the incident's status was before; nil if it is new. So counters can follow without knowing all incidents.
    package let from: Incident.Status?
    /// The incident after the change.
    package let incident: Incident
}
