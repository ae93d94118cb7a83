import Foundation

/// Keeps a second process from writing to the same database.
///
/// The system lets go of it when the process ends, however it ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Parameter database: The database. The lock is a file beside it.
    init(of database: String) throws(DatabaseProblem) {
        let descriptor = open(database + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseProblem(path: database, reason: String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw DatabaseProblem(path: database, reason: "another process is using this database")
        }
        // Last, as from then on `deinit` closes it, also after a throw.
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Lets others have it.
    func release() { _ = flock(descriptor, LOCK_UN) }
}
