import NIOConcurrencyHelpers
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file while it is written: it has a name of its own, and gets the real one when all of it is there.
///
/// So whoever opens the real one never sees a part, and what was there before stays until then. Any thread may discard it while
/// another one writes.
final class PartFile: Sendable {
    private let directory: Directory
    private let name: String
    private let partName: String
    /// Nil once it is committed or discarded.
    private let descriptor: NIOLockedValueBox<Int32?>

    init(_ name: String, in directory: Directory) throws(FetchError) {
        // It must be new: with a link of that name, somebody could have us write elsewhere.
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
        // The lock is held while it writes: a file that is closed meanwhile could be another one by then.
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

    /// Gives the file its name, in place of what has it. Fails if it has been discarded.
    func commit() throws(FetchError) {
        defer { directory.forget(self) }
        let failure = descriptor.withLockedValue { descriptor -> FetchError? in
            guard let open = descriptor else { return .stopped }
            descriptor = nil
            // Only here do some file systems tell that there was no room.
            if close(open) == 0, renameat(directory.descriptor, partName, directory.descriptor, name) == 0 {
                return nil
            }
            let reason = lastReason()
            unlinkat(directory.descriptor, partName, 0)
            return .file("\(name): \(reason)")
        }
        if let failure { throw failure }
    }

    /// Takes the file away, unless it is committed.
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
