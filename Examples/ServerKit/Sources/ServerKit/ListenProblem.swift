import Foundation
import NIOCore

/// Why the server cannot listen on its address.
public struct ListenProblem: Error, CustomStringConvertible {
    /// What is wrong, and which option helps.
    public let description: String

    /// Returns `nil` if the error has another cause.
    public init?(_ error: any Error, host: String, port: Int) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            description =
                "cannot listen on port \(port): another program is using it; stop it, or choose another one with --port"
        case let error as IOError where error.errnoCode == EACCES:
            description =
                "cannot listen on port \(port): the system does not permit it; choose a port above 1023 with --port"
        case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
            description =
                "cannot listen on \(host): it is not an address of this machine; choose another one with --host"
        case is SocketAddressError.UnknownHost:
            description = "cannot listen on \(host): the name has no address; choose another one with --host"
        default: return nil
        }
    }
}
