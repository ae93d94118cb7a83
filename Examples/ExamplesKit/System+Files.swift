#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a path leads to, links followed.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case file, directory, other
    }

    /// What tells a file from all others, however many names it has.
    package struct Identity: Sendable, Hashable {
        package let device: UInt64
        package let inode: UInt64
    }

    package let kind: Kind
    package let identity: Identity
    package let size: Int
}

extension System {
    package static func status(of path: String) throws(Failure) -> FileStatus {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last }
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        return FileStatus(
            kind: kind,
            identity: .init(
                device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino)),
            size: Int(status.st_size))
    }

    /// The path from the root of the file system, without links; nil if there is no such file.
    package static func absolutePath(of path: String) -> String? {
        guard let absolute = realpath(path, nil) else { return nil }
        defer { free(absolute) }
        return String(cString: absolute)
    }

    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The names in a directory, in no order, without `.` and `..`.
    package static func names(in directory: String) throws(Failure) -> [String] {
        guard let stream = opendir(directory) else { throw .last }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw .last }
                return names
            }
            // The name ends with a zero, and lies in the entry, which lasts until the next is read.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// The bytes of a file that is probably of that size.
    ///
    /// Nothing is waited for, and nothing tried again. A file beyond the limit is too large.
    package static func bytes(of path: String, size: Int, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        // One more than expected, so that the end is seen without growing.
        var capacity = size + 1
        var bytes: [UInt8] = []
        while true {
            let wanted = capacity - bytes.count
            var failure: Failure?
            var count = 0
            // Unsafe for speed: not initialised, as the read does that; what it has not written is not counted.
            let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
                while initialized < wanted {
                    // There is room for at least a byte, so there is an address.
                    count = read(descriptor, buffer.baseAddress! + initialized, wanted - initialized)
                    if count <= 0 { break }
                    initialized += count
                }
                if count < 0 { failure = .last }
            }
            if let failure { throw failure }
            if bytes.isEmpty { bytes = part } else { bytes += part }
            if count == 0 { return bytes }
            guard bytes.count <= limit else { throw Failure(code: 0) }
            capacity = bytes.count * 2
        }
    }
}

extension System.Failure {
    /// Whether the same call may well succeed a moment later.
    package var isTransient: Bool { [EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM, EBUSY, ESTALE].contains(code) }

    /// Whether the reader of a pipe has closed it, as `head` does when it has had enough.
    package var isClosedPipe: Bool { code == EPIPE }

    /// Whether there is nothing of that name.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether links lead to links without an end.
    package var isLoop: Bool { code == ELOOP }
}
