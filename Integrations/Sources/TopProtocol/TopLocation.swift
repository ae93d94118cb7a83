import Foundation

/// Where the sockets of servers are.
package enum TopLocation {
    /// The maximum length of the path of a socket, which the system prescribes.
    package static let pathLimit = 107
    package static let suffix = ".socket"

    /// The directory in which servers open their sockets by default: `signals-top` in `$XDG_RUNTIME_DIR`, which belongs
    /// to the user, or `/tmp/signals-top-UID`.
    package static func directory(
        environment: [String: String] = ProcessInfo.processInfo.environment, user: UInt32 = getuid()
    ) -> String {
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            return URL(filePath: runtime).appending(path: TopProtocol.name).path(percentEncoded: false)
        }
        return "/tmp/\(TopProtocol.name)-\(user)"
    }

    /// The socket of a process.
    package static func path(in directory: String, process: Int32) -> String { "\(directory)/\(process)\(suffix)" }

    /// The sockets in a directory, those of processes that have ended among them.
    package static func sockets(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(directory)/\($0)" }
    }
}
