import NIOConcurrencyHelpers
import NIOCore

/// Takes one answer in.
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

    /// Called for one part after the other.
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
            // Written by whoever brings it, who brings no more meanwhile.
            try state.withLockedValue { $0.part }?.write(bytes)
            state.withLockedValue { $0.received += bytes.readableBytes }
            return .received(bytes: bytes.readableBytes)
        }
    }

    /// Keeps what has come, if that is all.
    func finish() throws(FetchError) {
        let state = state.withLockedValue { $0 }
        if let length = state.length, length != state.received {
            throw .wrongLength(expected: length, received: state.received)
        }
        try state.part?.commit()
    }

    /// Takes away what has been kept of an answer that is not complete.
    func discard() { state.withLockedValue { $0.part }?.discard() }

    private func redirection(_ location: String?) throws(FetchError) -> WebAddress {
        guard let location else { throw .redirect("without a location") }
        guard let next = address.following(location) else { throw .redirect("to \"\(location)\"") }
        return next
    }
}
