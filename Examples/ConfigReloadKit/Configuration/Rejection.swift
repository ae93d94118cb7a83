/// Why a file does not come into force.
struct Rejection: Error, Equatable {
    let contents: Contents
    /// With the warnings.
    let problems: [Problem]
}
