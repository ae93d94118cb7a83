import Synchronization

/// Messages between a handler of the transport and the lane that reads them, with a limit.
///
/// The handler only copies the bytes under a short lock. The lane takes all of them by exchanging two buffers. So a
/// message costs no allocation here. A message for which there is no room is dropped: its receiver finds the gap in
/// the sequence.
final class Inbox: @unchecked Sendable {
    // Sendable: only the lane uses the spare buffer.
    private struct State {
        var frames = FrameBuffer()
        var count = 0
        /// Whether the lane is reading, or is about to.
        var isReading = false
        var isClosed = false
        /// The last message that found no room, per origin, so that the reader learns of the gap without waiting for
        /// another message.
        var dropped: [Origin: Envelope] = [:]
    }

    private let state = Mutex(State())
    /// The buffer that the lane reads.
    @exclusivity(unchecked) private var spare = FrameBuffer()
    private let maximumCount: Int
    private let maximumBytes: Int
    /// The number of origins whose last dropped message is kept.
    private static let maximumDropped = 1024

    init(maximumCount: Int, maximumBytes: Int) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Adds a message.
    ///
    /// - Returns: Whether the caller must make the lane read.
    @inline(__always)
    func add(_ message: RawSpan) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            if state.count >= maximumCount || state.frames.size + message.byteCount > maximumBytes {
                Self.drop(message, &state)
            } else {
                state.frames.append(message)
                state.count &+= 1
            }
            if state.isReading { return false }
            state.isReading = true
            return true
        }
    }

    @inline(never)
    private static func drop(_ message: RawSpan, _ state: inout State) {
        switch Envelope.read(message) {
        case .envelope(let envelope), .newerVersion(_, let envelope):
            guard state.dropped.count < maximumDropped || state.dropped[envelope.origin] != nil else { return }
            if let former = state.dropped[envelope.origin], former.epoch == envelope.epoch,
                former.sequence > envelope.sequence
            {
                return
            }
            state.dropped[envelope.origin] = envelope
        case .foreign: break
        }
    }

    /// Reads all messages. Only for the lane, after `add` has returned `true`.
    func read(_ body: (RawSpan, FrameStorage, Int) -> Void, dropped: (Envelope) -> Void) {
        while true {
            var lost: [Origin: Envelope] = [:]
            let isOver = state.withLock { state in
                if state.count == 0 && state.dropped.isEmpty || state.isClosed {
                    state.isReading = false
                    return true
                }
                state.count = 0
                swap(&spare, &state.frames)
                if !state.dropped.isEmpty { swap(&lost, &state.dropped) }
                return false
            }
            if isOver { return }
            spare.forEach(body)
            spare.removeAll()
            if lost.isEmpty { continue }
            for envelope in lost.values.sorted(by: { $0.origin.id < $1.origin.id }) { dropped(envelope) }
        }
    }

    /// Drops what is there and what comes.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.dropped = [:]
            state.count = 0
            state.frames = FrameBuffer()
        }
    }
}

extension Array {
    /// Empties the array, and returns what it had.
    mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}
