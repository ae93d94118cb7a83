import Foundation
import GRDB

/// Stores the measurements in SQLite.
///
/// A batch is on the disk when ``insert(_:)`` returns: the journal is a write-ahead log that is synchronized at each
/// commit.
package final class MeasurementStore: Sendable {
    private let pool: DatabasePool
    private let afterCommit: @Sendable () -> Void

    /// - Parameters:
    ///   - path: The database, which is created if it does not exist.
    ///   - afterCommit: Called after each commit, before ``insert(_:)`` returns: a simulated slow disk.
    package init(path: String, afterCommit: @escaping @Sendable () -> Void = {}) throws(DatabaseProblem) {
        self.afterCommit = afterCommit
        do {
            var configuration = Configuration()
            configuration.label = "Ingest"
            configuration.busyMode = .timeout(5)
            pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                // GRDB's default in this mode is NORMAL, which can lose the last commits if the power fails.
                try database.execute(sql: "PRAGMA synchronous = FULL")
                // In KiB. Rows are only appended, so a larger cache would grow and not be read.
                try database.execute(sql: "PRAGMA cache_size = -256")
            }
            try pool.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE IF NOT EXISTS measurement (
                            id INTEGER PRIMARY KEY,
                            sensor TEXT NOT NULL,
                            value REAL NOT NULL,
                            at INTEGER NOT NULL
                        ) STRICT
                        """)
                // Fails if the table has other columns.
                _ = try database.cachedStatement(sql: Self.insertion)
            }
        } catch let error as DatabaseError {
            throw DatabaseProblem(path: path, reason: error.message ?? "SQLite error \(error.resultCode.rawValue)")
        } catch {
            throw DatabaseProblem(path: path, reason: error.localizedDescription)
        }
    }

    private static let insertion = "INSERT INTO measurement (sensor, value, at) VALUES (?, ?, ?)"

    /// Writes measurements in one transaction: all of them, or none. Returns the number of each row.
    package func insert(_ batch: [Reading]) throws(StorageFailure) -> [Int] {
        do {
            let rows = try pool.write { database in
                let statement = try database.cachedStatement(sql: Self.insertion)
                return try batch.map { reading in
                    try statement.execute(arguments: [reading.sensor, reading.value, reading.at])
                    return Int(database.lastInsertedRowID)
                }
            }
            afterCommit()
            return rows
        } catch {
            throw StorageFailure("\(error)")
        }
    }

    /// Writes and removes a measurement, in one transaction, to find out whether the disk takes one.
    package func probe() async throws(StorageFailure) {
        do {
            try await pool.write { database in
                try database.execute(sql: Self.insertion, arguments: ["", 0, 0])
                try database.execute(
                    sql: "DELETE FROM measurement WHERE id = ?", arguments: [database.lastInsertedRowID])
            }
        } catch {
            throw StorageFailure("\(error)")
        }
    }

    /// All measurements, by the number of their row.
    package func all() throws -> [Int: Reading] {
        try pool.read { database in
            try Row.fetchAll(database, sql: "SELECT id, sensor, value, at FROM measurement").reduce(into: [:]) {
                $0[$1["id"]] = Reading(sensor: $1["sensor"], value: $1["value"], at: $1["at"])
            }
        }
    }

    /// Closes the database. Moves the write-ahead log into the file first, so that the file can be copied.
    package func close() throws {
        let checkpoint = Result { try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
        try pool.close()
        // If this fails, nothing is lost, because the next start reads the log.
        _ = try checkpoint.get()
    }
}
