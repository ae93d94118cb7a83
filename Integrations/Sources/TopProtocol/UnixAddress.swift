import Foundation

/// The address of a Unix socket, for the calls of the system.
package struct UnixAddress {
    private var address = sockaddr_un()

    /// `nil` if the path is too long.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        guard bytes.count <= TopLocation.pathLimit, !bytes.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Creates a socket, which programs that this one starts do not inherit.
    package static func socket(isBlocking: Bool) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return Foundation.socket(AF_UNIX, isBlocking ? kind : kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    }

    package func connect(_ descriptor: Int32) -> Int32 { call { Foundation.connect(descriptor, $0, $1) } }

    package func bind(_ descriptor: Int32) -> Int32 { call { Foundation.bind(descriptor, $0, $1) } }

    private func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
