import Foundation
import TopProtocol

/// The socket of a server in the file system.
struct SocketFile: Sendable {
    let path: String
    let descriptor: Int32
    private let device: UInt64
    private let number: UInt64

    /// Creates a socket that only this user may use, in the place of one on which no process listens.
    init(path: String) throws(TopServerError) {
        guard let address = UnixAddress(path) else {
            throw .pathTooLong(path: path, bytes: path.utf8.count)
        }
        switch SocketProbe(path: path) {
        case .nothing: break
        case .stale: unlink(path)
        case .live: throw .inUse(path: path)
        case .other: throw .notASocket(path: path)
        case .unusable(let code): throw .system(call: "connect", path: path, code: code)
        }
        let descriptor = UnixAddress.socket(isBlocking: true)
        guard descriptor >= 0 else { throw .system(call: "socket", path: path, code: errno) }
        // Before it has a name, so that it never has one under which others could connect.
        guard fchmod(descriptor, 0o600) == 0, address.bind(descriptor) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EADDRINUSE ? .inUse(path: path) : .system(call: "bind", path: path, code: code)
        }
        var status = stat()
        guard chmod(path, 0o600) == 0, lstat(path, &status) == 0 else {
            let code = errno
            unlink(path)
            close(descriptor)
            throw .system(call: "chmod", path: path, code: code)
        }
        (self.path, self.descriptor) = (path, descriptor)
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// Removes the name, unless another server has taken it.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, UInt64(status.st_dev) == device, UInt64(status.st_ino) == number else {
            return
        }
        unlink(path)
    }

    /// Creates the default directory, and checks that only this user may use it. Removes the sockets of processes that
    /// have ended from it.
    static func prepare(_ directory: String) throws(TopServerError) {
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw .system(call: "mkdir", path: directory, code: errno)
        }
        var status = stat()
        guard lstat(directory, &status) == 0 else { throw .system(call: "lstat", path: directory, code: errno) }
        let reason: String? =
            if status.st_mode & S_IFMT == S_IFLNK {
                "it is a link"
            } else if status.st_mode & S_IFMT != S_IFDIR {
                "it is no directory"
            } else if status.st_uid != getuid() {
                "it belongs to the user \(status.st_uid), and this is the user \(getuid())"
            } else if status.st_mode & 0o077 != 0 {
                "its mode is \(String(status.st_mode & 0o777, radix: 8)), and must be 700"
            } else {
                nil
            }
        if let reason { throw .unsafeDirectory(path: directory, reason: reason) }
        for path in TopLocation.sockets(in: directory) where SocketProbe(path: path) == .stale { unlink(path) }
    }
}
