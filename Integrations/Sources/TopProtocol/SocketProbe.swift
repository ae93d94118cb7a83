import Foundation

/// What is at the path of a socket.
package enum SocketProbe: Equatable, Sendable {
    case nothing
    /// A socket on which no process listens.
    case stale
    /// A socket on which a process listens.
    case live
    /// A file, a directory or a link.
    case other
    /// A socket that this user may not use, or that fails in another way. The number is that of the system.
    case unusable(Int32)

    /// Looks at a path. Connects to it and closes the connection, if there is a socket.
    package init(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            self = errno == ENOENT ? .nothing : .unusable(errno)
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            self = .other
            return
        }
        guard let address = UnixAddress(path) else {
            self = .unusable(ENAMETOOLONG)
            return
        }
        let descriptor = UnixAddress.socket(isBlocking: false)
        guard descriptor >= 0 else {
            self = .unusable(errno)
            return
        }
        defer { close(descriptor) }
        if address.connect(descriptor) == 0 {
            self = .live
        } else {
            switch errno {
            case ECONNREFUSED: self = .stale
            // Its queue of connections is full, so a process listens.
            case EAGAIN, EINPROGRESS: self = .live
            case ENOENT: self = .nothing
            case let code: self = .unusable(code)
            }
        }
    }
}
