import Foundation

/// Keeps a second process from writing to the same database.
///
/// The system lets go of it when the process ends, however it ends.
final class FileLock: Sendable {
    struct Taken: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path): another process is using this database" }
    }

    private let descriptor: Int32

    init(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Taken(path: path)
        }
        // Last, as from then on `deinit` closes it, also after a throw.
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Lets others have it.
    func release() { _ = flock(descriptor, LOCK_UN) }
}
