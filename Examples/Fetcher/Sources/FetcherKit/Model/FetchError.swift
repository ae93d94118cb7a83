/// Why an attempt, or all of them, came to nothing.
package enum FetchError: Error, Hashable, Sendable {
    /// The server answered, but not with what was asked for. It may say how long it wants to be left alone.
    case status(Int, retryAfter: Duration? = nil)
    /// A server was silent for longer than it may be.
    case timedOut(Duration)
    /// All requests for one address, and the pauses between them, took longer than they may.
    case outOfTime(Duration)
    /// The connection could not be made, or broke.
    case connection(String)
    /// The body ended before its length was reached, or after.
    case wrongLength(expected: Int, received: Int)
    /// What came was not HTTP.
    case garbage(String)
    /// A redirect leads nowhere, or there are too many of them.
    case redirect(String)
    /// The bytes could not be kept.
    case file(String)
    /// The run was asked to stop before this could begin.
    case stopped

    /// Whether another attempt may end better.
    package var isTransient: Bool {
        switch self {
        case .status(let code, _): [408, 425, 429, 500, 502, 503, 504].contains(code)
        case .timedOut, .connection, .wrongLength, .garbage: true
        case .outOfTime, .redirect, .file, .stopped: false
        }
    }

    /// How long the server wants to be left alone.
    package var retryAfter: Duration? {
        if case .status(_, let pause) = self { pause } else { nil }
    }
}

extension FetchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .status(let code, nil): "status \(code)"
        case .status(let code, let pause?): "status \(code), again after \(Format.seconds(pause))"
        case .timedOut(let limit): "silent for \(Format.seconds(limit))"
        case .outOfTime(let limit): "not done within \(Format.seconds(limit)) in all"
        case .connection(let reason): "connection: \(reason)"
        case .wrongLength(let expected, let received): "\(received) bytes instead of \(expected)"
        case .garbage(let reason): "not HTTP: \(reason)"
        case .redirect(let reason): "redirect: \(reason)"
        case .file(let reason): "file: \(reason)"
        case .stopped: "stopped"
        }
    }
}
