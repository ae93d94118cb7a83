import Foundation
import GRDB

/// Why the database cannot be used.
package struct DatabaseProblem: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    package var description: String { "cannot open the database \(path): \(reason)" }

    /// Runs a body that opens or reads the database, and converts its error into one with a one-line description.
    static func of<Value>(_ path: String, _ body: () throws -> Value) throws(DatabaseProblem) -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw DatabaseProblem(path: path, reason: error.message ?? "SQLite error \(error.resultCode.rawValue)")
        } catch is DecodingError {
            throw DatabaseProblem(path: path, reason: "it contains a row that is not an event of a board")
        } catch {
            throw DatabaseProblem(path: path, reason: error.localizedDescription)
        }
    }
}
