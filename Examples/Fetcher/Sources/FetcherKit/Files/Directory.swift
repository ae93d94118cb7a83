import NIOConcurrencyHelpers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open directory. It stays the same directory even if its path is renamed or replaced.
package final class Directory: Sendable {
    let descriptor: Int32
    package let path: String
    /// The files being written; `nil` after ``end()``.
    private let parts = NIOLockedValueBox<[ObjectIdentifier: Weak]?>([:])

    /// Creates the directory if it is missing, but not its parents.
    package init(_ path: String) throws(FetchError) {
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw .file("\(path): \(lastReason())") }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("\(path): \(lastReason())") }
        self.path = path
    }

    deinit { close(descriptor) }

    /// Creates a temporary file: see ``PartFile``.
    func part(of name: String) throws(FetchError) -> PartFile {
        let part = try PartFile(name, in: self)
        let isClosed = parts.withLockedValue { parts in
            parts?[ObjectIdentifier(part)] = Weak(part)
            return parts == nil
        }
        guard !isClosed else {
            part.discard()
            throw .stopped
        }
        return part
    }

    /// Called when a file has been committed or discarded.
    func forget(_ part: PartFile) { _ = parts.withLockedValue { $0?.removeValue(forKey: ObjectIdentifier(part)) } }

    /// Discards incomplete files. Afterwards, no file can be created or committed.
    package func end() {
        let parts = parts.withLockedValue { parts in
            defer { parts = nil }
            return parts
        }
        for part in parts?.values ?? [:].values { part.object?.discard() }
    }

    private struct Weak: Sendable {
        weak let object: PartFile?

        init(_ object: PartFile) { self.object = object }
    }
}

/// The message of `errno`.
func lastReason() -> String { String(cString: strerror(errno)) }
