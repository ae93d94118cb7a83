import Foundation

/// Prevents a second process from writing to the same database.
///
/// The system releases the lock when the process ends, even if it crashes.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Parameter database: The path of the database. The lock is a file next to it.
    init(of database: String) throws(DatabaseProblem) {
        let descriptor = open(database + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseProblem(path: database, reason: String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw DatabaseProblem(
                path: database,
                reason: "another process is using this database; stop it, or choose another file with --database")
        }
        // Assigned last: from here on, `deinit` closes the descriptor, even if this initializer throws.
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Releases the lock.
    func release() { _ = flock(descriptor, LOCK_UN) }
}
