/// Why the viewer does not see a server.
package enum TopClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no socket.
    case noServer(path: String)
    /// There is no socket in the directory on which a process listens.
    case noServers(directory: String)
    /// There are several, so the viewer must be told which one.
    case several(paths: [String])
    /// No process listens on the socket.
    case refused(path: String)
    /// The socket belongs to another user.
    case forbidden(path: String)
    case pathTooLong(path: String, bytes: Int)
    case failed(path: String, reason: String)
    /// The server speaks another version of the protocol.
    case version(server: Int, viewer: Int)
    /// What answers is not a server of this program, or does not answer.
    case noGreeting(path: String)
    /// The server has closed the connection or ended.
    case lost
    /// The server refuses to go on.
    case problem(String)

    package var description: String {
        switch self {
        case .noServer(let path): "there is no server at \(path): does the program call TopServer.open()?"
        case .noServers(let directory):
            "no server listens in \(directory): does the program call TopServer.open(), as the same user?"
        case .several(let paths):
            "there are several servers, so say which one:" + paths.map { "\n  signals-top \($0)" }.joined()
        case .refused(let path): "no process listens at \(path): the server has ended"
        case .forbidden(let path): "the socket \(path) belongs to another user"
        case .pathTooLong(let path, let bytes):
            "the path of a Unix socket must have at most 107 bytes, and this one has \(bytes): \(path)"
        case .failed(let path, let reason): "cannot connect to \(path): \(reason)"
        case .version(let server, let viewer):
            "the server speaks version \(server) of the protocol, and this program version \(viewer): "
                + "build both from the same version of the package"
        case .noGreeting(let path): "what listens at \(path) is no server of signals-top, or does not answer"
        case .lost: "the connection is lost: the server has ended, or has closed it"
        case .problem(let text): "the server says: \(text)"
        }
    }
}
