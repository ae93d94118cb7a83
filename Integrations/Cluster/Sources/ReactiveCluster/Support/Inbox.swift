import Foundation
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
        /// For how many more messages there is room. None once this is closed.
        var room: Int
        /// Whether the lane is reading, or is about to.
        var isReading = false
        var isClosed = false
        /// The last message that found no room, per origin, so that the reader learns of the gap without waiting for
        /// another message.
        var dropped: [Origin: Envelope] = [:]
    }

    private let state: Mutex<State>
    /// The buffer that the lane reads.
    @exclusivity(unchecked) private var spare = FrameBuffer()
    private let maximumCount: Int
    private let maximumBytes: Int
    /// After fewer messages than this, the lane lets other threads run before it looks for more.
    private static let smallReading = 64
    /// The number of origins whose last dropped message is kept.
    private static let maximumDropped = 1024

    init(maximumCount: Int, maximumBytes: Int) {
        state = Mutex(State(room: maximumCount))
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Adds a message.
    ///
    /// - Returns: Whether the caller must make the lane read.
    @inline(__always)
    func add(_ message: RawSpan) -> Bool {
        state.withLock { state in
            if state.room > 0, state.frames.size &+ message.byteCount <= maximumBytes {
                state.room &-= 1
                state.frames.append(message)
            } else {
                if state.isClosed { return false }
                Self.drop(message, &state)
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
    ///
    /// - Parameters:
    ///   - body: Called with the messages that have arrived meanwhile.
    ///   - dropped: Called with the last message per origin that found no room.
    func read(_ body: (borrowing FrameBuffer) -> Void, dropped: (Envelope) -> Void) {
        while true {
            var lost: [Origin: Envelope]?
            let count = state.withLock { state -> Int? in
                let count = maximumCount - state.room
                if count == 0 && state.dropped.isEmpty || state.isClosed {
                    state.isReading = false
                    return nil
                }
                state.room = maximumCount
                swap(&spare, &state.frames)
                if !state.dropped.isEmpty {
                    lost = state.dropped
                    state.dropped = [:]
                }
                return count
            }
            guard let count else { return }
            body(spare)
            spare.removeAll()
            if let lost {
                for envelope in lost.values.sorted(by: { $0.origin.id < $1.origin.id }) { dropped(envelope) }
            }
            // A lane that is faster than the handler would take the lock for each message, and make the handler wait.
            if count < Self.smallReading { sched_yield() }
        }
    }

    /// Drops what is there and what comes.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.room = 0
            state.dropped = [:]
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
