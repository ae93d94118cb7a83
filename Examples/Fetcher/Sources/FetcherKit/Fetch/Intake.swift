import NIOConcurrencyHelpers
import NIOCore

/// Receives one response: checks its status and length, and writes its body.
final class Intake: Sendable {
    private struct State {
        var length: Int?
        var received = 0
        var part: PartFile?
    }

    private let target: FetchTarget
    private let address: WebAddress
    private let directory: Directory?
    private let state = NIOLockedValueBox(State())

    init(_ target: FetchTarget, _ address: WebAddress, _ directory: Directory?) {
        self.target = target
        self.address = address
        self.directory = directory
    }

    /// Call serially, once per part.
    func take(_ part: ResponsePart) throws(FetchError) -> FetchUpdate {
        switch part {
        case .head(let status, let length, let location, let retryAfter):
            switch status {
            case 200..<300:
                let part = try directory?.part(of: target.fileName)
                state.withLockedValue { state in
                    state.length = length
                    state.part = part
                }
                return .responded(length: length)
            case 301, 302, 303, 307, 308: return .redirected(try redirection(location))
            default: throw .status(status, retryAfter: retryAfter)
            }
        case .body(let bytes):
            // Outside the lock: parts arrive serially, and the next one waits until this one is written.
            try state.withLockedValue { $0.part }?.write(bytes)
            state.withLockedValue { $0.received += bytes.readableBytes }
            return .received(bytes: bytes.readableBytes)
        }
    }

    /// Keeps the file if the body is complete.
    func finish() throws(FetchError) {
        let state = state.withLockedValue { $0 }
        if let length = state.length, length != state.received {
            throw .wrongLength(expected: length, received: state.received)
        }
        try state.part?.commit()
    }

    /// Deletes the file of an incomplete response.
    func discard() { state.withLockedValue { $0.part }?.discard() }

    private func redirection(_ location: String?) throws(FetchError) -> WebAddress {
        guard let location else { throw .redirect("the response has no Location header") }
        guard let next = address.following(location) else {
            throw .redirect("\"\(location)\" is not a URL that Fetcher accepts")
        }
        return next
    }
}
