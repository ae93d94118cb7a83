/// Why an attempt, or a whole target, failed.
package enum FetchError: Error, Hashable, Sendable {
    /// The server responded with an error status. It can ask for a delay before the next attempt.
    case status(Int, retryAfter: Duration? = nil)
    /// The server sent nothing for longer than `--timeout`.
    case timedOut(Duration)
    /// All requests for one URL, with the delays between them, took longer than `--total-timeout`.
    case outOfTime(Duration)
    /// The connection failed or was lost.
    case connection(String)
    /// The body is shorter or longer than the server announced.
    case wrongLength(expected: Int, received: Int)
    /// The response is not HTTP.
    case garbage(String)
    /// A redirect cannot be followed, or there are too many of them.
    case redirect(String)
    /// A file or the output directory cannot be written.
    case file(String)
    /// The run was stopped before the request started.
    case stopped

    /// Whether another attempt can succeed.
    package var isTransient: Bool {
        switch self {
        case .status(let code, _): [408, 425, 429, 500, 502, 503, 504].contains(code)
        case .timedOut, .connection, .wrongLength, .garbage: true
        case .outOfTime, .redirect, .file, .stopped: false
        }
    }

    /// The delay that the server asks for.
    package var retryAfter: Duration? {
        if case .status(_, let pause) = self { pause } else { nil }
    }
}

extension FetchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .status(let code, nil): "status \(code)"
        case .status(let code, let pause?):
            "status \(code), and the server asks to wait \(Format.seconds(pause)) before a retry"
        case .timedOut(let limit): "the server sent nothing for \(Format.seconds(limit)); --timeout sets this limit"
        case .outOfTime(let limit): "not complete after \(Format.seconds(limit)); --total-timeout sets this limit"
        case .connection(let reason): "the connection failed: \(reason)"
        case .wrongLength(let expected, let received):
            "received \(received) bytes, but the server announced \(expected)"
        case .garbage(let reason): "the response is not valid HTTP: \(reason)"
        case .redirect(let reason): "cannot follow a redirect: \(reason)"
        case .file(let reason): "cannot write \(reason)"
        case .stopped: "stopped"
        }
    }
}
