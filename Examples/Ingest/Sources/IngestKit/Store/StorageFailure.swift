/// Why a batch could not be written.
package struct StorageFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Why the database cannot be used.
package struct DatabaseProblem: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    package var description: String {
        "cannot open the database \(path): \(reason); choose another one with --database"
    }
}
