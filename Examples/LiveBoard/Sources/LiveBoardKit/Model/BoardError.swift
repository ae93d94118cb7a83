/// Why the board refused a change.
package enum BoardError: Error, Equatable, Sendable {
    /// Some fields are invalid. The dictionary has the problem of each field.
    case invalid([String: String])
    /// No incident has this id.
    case notFound(Int)
    /// Another change came first. Contains the reason and the current incident.
    case conflict(String, Incident)
    /// The change was not made, because it could not be written to the database.
    case storage(String)
    /// The servers of the cluster have not acknowledged the change. It may still have been made.
    case unacknowledged(String)
}
