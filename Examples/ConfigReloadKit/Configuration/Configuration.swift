/// What the server is told, all of it valid.
struct Configuration: Sendable, Equatable {
    var port = 8080
    var logLevel = LogLevel.info
    var limits = Limits()
    /// How few and how many there may be.
    var workers = 2...8
}

struct Limits: Sendable, Equatable {
    var requestsPerSecond = 500
    var bodyBytes = 1 << 20
}

enum LogLevel: String, Sendable, CaseIterable {
    case trace, debug, info, notice, warning, error, critical
}
