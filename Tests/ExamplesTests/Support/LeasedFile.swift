import Glibc

/// A file that whoever opens it cannot open yet: the kernel asks the holder of the lease first, who does not answer.
///
/// Who does not wait gets EAGAIN, for three quarters of a minute.
final class LeasedFile {
    private let descriptor: Int32

    /// `F_SETSIG` and `F_SETLEASE`, which Swift does not see.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024

    /// Makes the file.
    ///
    /// There is no lease on a file that is open elsewhere, be it in a program that another test has just started: so nobody
    /// else may have made it.
    init(_ path: String, text: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // The signal by which the kernel asks: one that is ignored if nobody handles it.
        guard descriptor >= 0, write(descriptor, text, text.utf8.count) == text.utf8.count,
            fcntl(descriptor, Self.setSignal, SIGURG) == 0,
            fcntl(descriptor, Self.setLease, Int32(F_WRLCK)) == 0
        else {
            throw ProcessFailure.notStarted("a lease on \(path)", reason: String(cString: strerror(errno)))
        }
    }

    /// From now on the file can be opened.
    func release() { close(descriptor) }
}
