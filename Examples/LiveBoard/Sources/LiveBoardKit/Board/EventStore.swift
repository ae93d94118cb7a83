import Foundation
import GRDB

/// The events in SQLite: the truth that survives the process.
///
/// One table that rows are only ever added to. A commit has reached the disk when it returns: the journal is a write-ahead log
/// that is synchronised at each commit.
package final class EventStore: Sendable {
    private let pool: DatabasePool
    private let lock: FileLock

    private let path: String

    package init(path: String) throws(DatabaseProblem) {
        self.path = path
        lock = try FileLock(of: path)
        pool = try DatabaseProblem.of(path) {
            var configuration = Configuration()
            configuration.label = "LiveBoard"
            let pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB asks for less in this mode: what was committed last could be lost with the machine's power.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Self.migrator.migrate(pool)
            return pool
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("events") { database in
            try database.execute(
                sql: """
                    CREATE TABLE event (
                        sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
                        at INTEGER NOT NULL,
                        kind TEXT NOT NULL,
                        incident INTEGER NOT NULL,
                        body TEXT NOT NULL
                    ) STRICT;
                    CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
                    BEGIN SELECT RAISE(ABORT, 'events are not changed'); END;
                    CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event
                    BEGIN SELECT RAISE(ABORT, 'events are not deleted'); END;
                    """)
        }
        return migrator
    }

    /// Writes down the event that `decide` returns, and then calls `publish` with it.
    ///
    /// Both are called on the database's only writer, one commit after the other, so that what `decide` has seen is still
    /// true when the event is published. It cannot be cancelled: what has begun is finished.
    ///
    /// - Throws: The error of `decide`, or ``BoardError/storage(_:)`` if the event has not been written.
    package func commit(
        deciding decide: @escaping @Sendable () throws(BoardError) -> BoardEvent,
        publishing publish: @escaping @Sendable (BoardEvent) -> Void
    ) async throws(BoardError) -> BoardEvent {
        let result: Result<BoardEvent, BoardError> = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { database in
                let result = Result { () throws(BoardError) in
                    let event = try decide()
                    do {
                        try Self.insert(event, into: database)
                    } catch {
                        throw .storage("\(error)")
                    }
                    publish(event)
                    return event
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    private static func insert(_ event: BoardEvent, into database: Database) throws {
        let body = String(decoding: try JSONEncoder.board.encode(event), as: UTF8.self)
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: "INSERT INTO event (sequence, at, kind, incident, body) VALUES (?, ?, ?, ?, ?)",
                arguments: [event.sequence, event.at, event.kind.rawValue, event.incident.id, body])
            return .commit
        }
    }

    /// Calls `action` with every event, in order.
    package func visitAll(_ action: (BoardEvent) -> Void) throws(DatabaseProblem) {
        try DatabaseProblem.of(path) {
            try pool.read { database in
                let rows = try Row.fetchCursor(database, sql: "SELECT body FROM event ORDER BY sequence")
                while let row = try rows.next() { action(try Self.event(row)) }
            }
        }
    }

    /// The first events after one, at most `limit` of them.
    package func events(after sequence: Int, limit: Int) async throws -> [BoardEvent] {
        try await pool.read { database in
            try Row.fetchAll(
                database, sql: "SELECT body FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?",
                arguments: [sequence, limit]
            ).map { try Self.event($0) }
        }
    }

    private static func event(_ row: Row) throws -> BoardEvent {
        try JSONDecoder().decode(BoardEvent.self, from: Data((row["body"] as String).utf8))
    }

    /// How the database has been set up: the journal's mode, and how much is synchronised.
    package func durability() throws -> (journal: String, synchronous: Int) {
        try pool.writeWithoutTransaction { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
                try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1
            )
        }
    }

    /// Closes the database. Waits for what is being written.
    ///
    /// Moves what is in the write-ahead log into the file first, so that the file alone is the whole board: it can be copied.
    package func close() throws {
        defer { lock.release() }
        let checkpoint = Result { try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
        try pool.close()
        // Nothing is lost, as the next start reads the log; but the file alone is not the board.
        _ = try checkpoint.get()
    }
}

extension JSONEncoder {
    /// For events, snapshots and answers: the same value is always the same text.
    static var board: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
