/// Why a ``TopServer`` could not be opened.
public enum TopServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path of the socket has more than 107 bytes, which the system does not allow.
    case pathTooLong(path: String, bytes: Int)
    /// Another server listens at the path.
    case inUse(path: String)
    /// There is something at the path that is no socket. It is left alone.
    case notASocket(path: String)
    /// The default directory is a link or no directory, or other users may use it.
    case unsafeDirectory(path: String, reason: String)
    /// A call of the system has failed.
    case system(call: String, path: String, code: Int32)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .pathTooLong(let path, let bytes):
            "the path of a Unix socket must have at most 107 bytes, and this one has \(bytes): \(path)"
        case .inUse(let path): "another server listens at \(path): pass another path"
        case .notASocket(let path): "there is something at \(path) that is no socket: remove it, or pass another path"
        case .unsafeDirectory(let path, let reason): "the directory \(path) is not safe for a socket: \(reason)"
        case .system(let call, let path, let code): "\(call) of \(path) has failed with error \(code)"
        }
    }
}
