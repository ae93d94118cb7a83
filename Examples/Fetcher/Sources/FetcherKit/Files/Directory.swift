#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A directory that is open, so that it stays the same one whatever becomes of its path.
package final class Directory: Sendable {
    let descriptor: Int32
    package let path: String

    /// Makes the directory if it is missing; not those above it.
    package init(_ path: String) throws(FetchError) {
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw .file("\(path): \(lastReason())") }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("\(path): \(lastReason())") }
        self.path = path
    }

    deinit { close(descriptor) }

    /// A file that is not there yet: see ``PartFile``.
    func part(of name: String) throws(FetchError) -> PartFile { try PartFile(name, in: self) }
}

/// What the last call of the system failed with.
func lastReason() -> String { String(cString: strerror(errno)) }
