import Foundation
import GRDB

/// Stores the events in SQLite, in one append-only table.
///
/// A commit is on the disk when it returns: the journal is a write-ahead log that is synchronized at each commit.
package final class EventStore: Sendable {
    private let pool: DatabasePool
    private let lock: FileLock

    private let path: String

    /// - Parameter isCopy: Whether every event can be read again elsewhere. Then a commit need not be on the disk when
    ///   it returns: what a power failure takes is read again.
    package init(path: String, isCopy: Bool = false) throws(DatabaseProblem) {
        self.path = path
        lock = try FileLock(of: path)
        pool = try DatabaseProblem.of(path) {
            var configuration = Configuration()
            configuration.label = "LiveBoard"
            let pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB's default in this mode is NORMAL, which can lose the last commits if the power fails.
            if !isCopy { try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") } }
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

    /// Writes the event that `decide` returns, and then calls `publish` with it.
    ///
    /// Calls both on the database's only writer, one commit at a time, so the state that `decide` has seen is still
    /// current when the event is published. A commit cannot be cancelled.
    ///
    /// - Throws: The error of `decide`, or ``BoardError/storage(_:)`` if the event could not be written.
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

    /// Writes events that others have decided on, all or none of them.
    package func record(_ events: [BoardEvent]) async throws {
        try await pool.write { database in
            for event in events { try Self.insertRow(event, into: database) }
        }
    }

    /// Finds out whether an event with this number could be written, and writes none.
    package func probe(_ sequence: Int) async throws {
        try await pool.write { database in
            try database.inSavepoint {
                try database.execute(
                    sql: "INSERT INTO event (sequence, at, kind, incident, body) VALUES (?, 0, '', 0, ?)",
                    arguments: [sequence, String(repeating: " ", count: 1_000)])
                return .rollback
            }
            // Changes nothing, but writes a page, so that the commit needs the disk.
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            try database.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    private static func insert(_ event: BoardEvent, into database: Database) throws {
        try database.inTransaction(.immediate) {
            try insertRow(event, into: database)
            return .commit
        }
    }

    private static func insertRow(_ event: BoardEvent, into database: Database) throws {
        let body = String(decoding: try JSONEncoder.board.encode(event), as: UTF8.self)
        try database.execute(
            sql: "INSERT INTO event (sequence, at, kind, incident, body) VALUES (?, ?, ?, ?, ?)",
            arguments: [event.sequence, event.at, event.kind.rawValue, event.incident.id, body])
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

    /// The first events after `sequence`, at most `limit`.
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

    /// The settings that decide what survives a power failure: the journal's mode, and when it is synchronized.
    package func durability() throws -> (journal: String, synchronous: Int) {
        try pool.writeWithoutTransaction { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
                try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1
            )
        }
    }

    /// Closes the database, after the running commit.
    ///
    /// Moves the write-ahead log into the file first, so that the file alone is the whole board and can be copied.
    package func close() throws {
        defer { lock.release() }
        let checkpoint = Result { try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
        try pool.close()
        // If this fails, nothing is lost, because the next start reads the log. But the file alone is incomplete.
        _ = try checkpoint.get()
    }
}

extension JSONEncoder {
    /// For events, snapshots and responses. Equal values have equal texts.
    static var board: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
