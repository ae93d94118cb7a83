import Glibc

/// A file that cannot be opened yet, because the kernel first asks the holder of a lease, who does not answer.
///
/// A non-blocking open fails with EAGAIN for 45 seconds.
final class LeasedFile {
    private let descriptor: Int32

    /// `F_SETSIG`, `F_SETLEASE` and `F_GETLEASE`, which are not available in Swift.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025

    /// Creates the file.
    ///
    /// A file that is open elsewhere, even in a program that another test has just started, cannot be leased. So the
    /// file must be new.
    init(_ path: String, text: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // The signal with which the kernel asks is one that is ignored by default.
        guard descriptor >= 0, write(descriptor, text, text.utf8.count) == text.utf8.count,
            fcntl(descriptor, Self.setSignal, SIGURG) == 0,
            fcntl(descriptor, Self.setLease, Int32(F_WRLCK)) == 0
        else {
            throw ProcessFailure.notStarted("a lease on \(path)", reason: String(cString: strerror(errno)))
        }
    }

    /// Whether a program has tried to open the file. From then on, the kernel no longer reports the lease as granted.
    var isWanted: Bool { fcntl(descriptor, Self.getLease) != Int32(F_WRLCK) }

    /// Releases the lease, so that the file can be opened.
    func release() { close(descriptor) }
}
