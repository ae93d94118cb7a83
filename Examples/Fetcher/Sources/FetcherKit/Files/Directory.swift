import NIOConcurrencyHelpers

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
    /// Those that are being written; nil once it is over.
    private let parts = NIOLockedValueBox<[ObjectIdentifier: Weak]?>([:])

    /// Makes the directory if it is missing; not those above it.
    package init(_ path: String) throws(FetchError) {
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw .file("\(path): \(lastReason())") }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("\(path): \(lastReason())") }
        self.path = path
    }

    deinit { close(descriptor) }

    /// A file that is not there yet: see ``PartFile``.
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

    /// A part has got its name, or is gone.
    func forget(_ part: PartFile) { _ = parts.withLockedValue { $0?.removeValue(forKey: ObjectIdentifier(part)) } }

    /// Discards all that is not complete. From then on nothing can be begun or completed.
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

/// What the last call of the system failed with.
func lastReason() -> String { String(cString: strerror(errno)) }
