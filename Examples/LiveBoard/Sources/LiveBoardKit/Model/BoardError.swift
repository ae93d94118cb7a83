/// Why the board refused a change.
package enum BoardError: Error, Equatable, Sendable {
    /// What is wrong, by the name of the field.
    case invalid([String: String])
    /// There is no incident of this id.
    case notFound(Int)
    /// Somebody else was first. With the incident as it is.
    case conflict(String, Incident)
    /// The change could not be written down, so it was not made.
    case storage(String)
}
