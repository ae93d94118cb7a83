import NIOConcurrencyHelpers
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that has a temporary name until it is complete.
///
/// Readers of the final name therefore never see a partial file, and an existing file stays until then. Any thread can
/// discard the file while another one writes.
final class PartFile: Sendable {
    private let directory: Directory
    private let name: String
    private let partName: String
    /// `nil` after the file has been committed or discarded.
    private let descriptor: NIOLockedValueBox<Int32?>

    init(_ name: String, in directory: Directory) throws(FetchError) {
        // The file must be new. Otherwise, a link of that name could redirect the writes to another file.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var partName: String
        var descriptor: Int32
        repeat {
            partName = ".\(name).\(UInt32.random(in: 0 ... .max)).part"
            descriptor = openat(directory.descriptor, partName, flags, 0o666)
        } while descriptor < 0 && errno == EEXIST
        guard descriptor >= 0 else { throw .file("\(name): \(lastReason())") }
        self.directory = directory
        self.name = name
        self.partName = partName
        self.descriptor = NIOLockedValueBox(descriptor)
    }

    deinit { discard() }

    /// Appends all of the bytes.
    func write(_ bytes: ByteBuffer) throws(FetchError) {
        // Holds the lock while writing. If another thread closed the descriptor, it could already be another file.
        let failure = descriptor.withLockedValue { descriptor -> FetchError? in
            guard let descriptor else { return .stopped }
            return bytes.withUnsafeReadableBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let part = UnsafeRawBufferPointer(rebasing: rest)
                    #if canImport(Darwin)
                    let count = Darwin.write(descriptor, part.baseAddress, part.count)
                    #elseif canImport(Musl)
                    let count = Musl.write(descriptor, part.baseAddress, part.count)
                    #else
                    let count = Glibc.write(descriptor, part.baseAddress, part.count)
                    #endif
                    if count >= 0 {
                        rest = rest.dropFirst(count)
                    } else if errno != EINTR {
                        return .file("\(name): \(lastReason())")
                    }
                }
                return nil
            }
        }
        if let failure { throw failure }
    }

    /// Renames the file to its final name, and replaces an existing file. Fails if the file has been discarded.
    func commit() throws(FetchError) {
        defer { directory.forget(self) }
        let failure = descriptor.withLockedValue { descriptor -> FetchError? in
            guard let open = descriptor else { return .stopped }
            descriptor = nil
            // Some file systems report a full disk only when the file is closed.
            if close(open) == 0, renameat(directory.descriptor, partName, directory.descriptor, name) == 0 {
                return nil
            }
            let reason = lastReason()
            unlinkat(directory.descriptor, partName, 0)
            return .file("\(name): \(reason)")
        }
        if let failure { throw failure }
    }

    /// Deletes the file, unless it has been committed.
    func discard() {
        defer { directory.forget(self) }
        descriptor.withLockedValue { descriptor in
            guard let open = descriptor else { return }
            descriptor = nil
            close(open)
            unlinkat(directory.descriptor, partName, 0)
        }
    }
}
