/// Why a value is not as it should be.
struct Objection: Error, Equatable {
    let reason: String
    /// The value beside which it cannot be, if it could be otherwise.
    var other: Key?
}
