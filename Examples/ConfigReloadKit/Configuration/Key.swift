/// A key of the file, with the names of the objects that it is in.
enum Key: String, Sendable, CaseIterable {
    case port = "server.port"
    case logLevel = "log.level"
    case requestsPerSecond = "limits.requestsPerSecond"
    case bodyBytes = "limits.bodyBytes"
    case minWorkers = "workers.min"
    case maxWorkers = "workers.max"

    /// Whether there is a key in an object of this key path.
    static func areIn(_ path: String) -> Bool { allCases.contains { $0.rawValue.hasPrefix(path + ".") } }
}
