/// Why a file does not come into force.
struct Rejection: Error, Equatable {
    let contents: Contents
    /// With the warnings.
    let problems: [Problem]

    /// Whether the same file may come into force in a moment.
    var isTransient: Bool {
        if case .unreadable(_, isTransient: true) = contents { true } else { false }
    }
}
