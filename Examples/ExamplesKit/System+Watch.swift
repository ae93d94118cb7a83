#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A change in a watched directory.
package struct DirectoryChange: Sendable, Equatable {
    /// What ``System/watch(_:contents:with:)`` gave for the directory; negative if the kernel has lost changes of any.
    package let watch: Int32
    /// The name of what has changed; empty for the directory itself.
    package let name: String
    /// Whether the name may stand for something else now, as opposed to the same file with other contents.
    package let isRenaming: Bool

    package var isLoss: Bool { watch < 0 }
}

extension System {
    /// The directory that paths without a leading slash begin in.
    package static var currentDirectory: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    /// Where a link leads; nil if it is none.
    package static func destination(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Closes what ``makeWatcher()`` made.
    package static func closeWatcher(_ watcher: Int32) { close(watcher) }

    #if os(Linux)
    /// Makes a descriptor that can be read when there is a change.
    package static func makeWatcher() throws(Failure) -> Int32 {
        let watcher = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard watcher >= 0 else { throw .last }
        return watcher
    }

    /// Watches a directory, once more if it is watched already; returns the number by which changes name it.
    ///
    /// - Parameter contents: Whether changes of the contents of its files matter, too, and not only those of its names.
    package static func watch(
        _ directory: String, contents: Bool, with watcher: Int32
    ) throws(Failure) -> Int32 {
        let names = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB
        let mask = names | (contents ? IN_MODIFY | IN_CLOSE_WRITE : 0)
        // It need not be readable, in which case this fails, and what is no directory is not watched.
        let watch = inotify_add_watch(
            watcher, directory, UInt32(mask) | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
        guard watch >= 0 else { throw .last }
        return watch
    }

    package static func unwatch(_ watch: Int32, with watcher: Int32) { inotify_rm_watch(watcher, watch) }

    /// The changes that there are, without waiting for any.
    package static func changes(of watcher: Int32) -> [DirectoryChange] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(watcher, &buffer, buffer.count)
        var changes: [DirectoryChange] = []
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
            let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
            // The name is padded with zeros.
            let name = buffer[(offset + header)...].prefix(Int(event.len)).prefix { $0 != 0 }
            changes.append(
                DirectoryChange(
                    watch: event.wd, name: String(decoding: name, as: UTF8.self),
                    isRenaming: event.mask & UInt32(IN_MODIFY | IN_CLOSE_WRITE) == 0))
            offset += header + Int(event.len)
        }
        return changes
    }
    #else
    package static func makeWatcher() throws(Failure) -> Int32 { throw Failure(code: ENOTSUP) }
    package static func watch(
        _ directory: String, contents: Bool, with watcher: Int32
    ) throws(Failure) -> Int32 { throw Failure(code: ENOTSUP) }
    package static func unwatch(_ watch: Int32, with watcher: Int32) {}
    package static func changes(of watcher: Int32) -> [DirectoryChange] { [] }
    #endif
}
