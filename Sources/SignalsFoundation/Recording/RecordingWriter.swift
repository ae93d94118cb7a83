import ColdProducers
import Foundation
import HotSignals

/// One recording: the lines that wait for the disk, and the queue that writes them.
///
/// Senders append lines under the lock, and never wait for the disk. The queue takes all lines that are there, and
/// writes them at once.
final class RecordingWriter: Sendable {
    private struct State {
        /// What has not been written.
        var waiting = Data()
        var isWriting = true
        /// The numbers of the streams that have not ended, by their identity.
        var numbers: [UInt: Int] = [:]
        var streams = 0
        var time = 0
        var events = 0
        var bytes = 0
        var ending: EventRecorder.Ending?
    }

    private let descriptor: Int32
    private let limit: EventRecorder.Limit
    /// The time of the scheduler at the beginning.
    private let beginning: Duration
    private let state: Locked<State>
    // A queue of its own always gets a thread, even while all threads of the process's pool are busy.
    private let queue = DispatchQueue(label: "ReactiveSignals.recording")
    /// Ends when the file has been closed.
    let lifetime: Lifetime
    private let token: Lifetime.Token
    /// Called once, when no further event will be recorded. May be called while an event is being delivered.
    private let ended: @Sendable (RecordingWriter) -> Void

    /// Creates the file.
    init(
        _ url: URL, _ limit: EventRecorder.Limit, beginning: Duration,
        ended: @escaping @Sendable (RecordingWriter) -> Void
    ) throws(SystemError) {
        descriptor = try openFile(url, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        self.limit = limit
        self.beginning = beginning
        self.ended = ended
        (lifetime, token) = Lifetime.make()
        var state = State()
        state.waiting = Data(RecordingFormat.header(began: Date()).utf8)
        state.bytes = state.waiting.count
        self.state = Locked(state)
        queue.async { self.writeWaiting() }
    }

    var summary: EventRecorder.Summary {
        state.withLock { EventRecorder.Summary(ending: $0.ending, events: $0.events, bytes: $0.bytes) }
    }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - content: See ``RecordingFormat/content(of:)``.
    ///   - isLast: Whether it ends its stream.
    func append(_ content: Data, at instant: Duration, of stream: RecordingSource, isLast: Bool) {
        let time = (instant - beginning).nanoseconds
        let isFull = state.withLock { state -> Bool? in
            guard state.ending == nil else { return nil }
            var lines = Data()
            var number = state.numbers[stream.identity]
            if number == nil {
                number = state.streams
                lines.append(contentsOf: RecordingFormat.stream(state.streams, named: stream.name).utf8)
            }
            // Several streams can find out the time and arrive here in another order.
            let time = max(time, state.time)
            lines.append(contentsOf: RecordingFormat.prefix(time: time, stream: number ?? 0).utf8)
            lines.append(content)
            if let ending = endingInstead(of: lines, state) {
                end(ending, &state)
                return true
            }
            if state.numbers[stream.identity] == nil { state.streams += 1 }
            state.numbers[stream.identity] = isLast ? nil : number
            state.time = time
            state.events += 1
            state.bytes += lines.count
            state.waiting.append(lines)
            let isLimit = limit == .events(state.events)
            if isLimit { end(.full, &state) }
            resume(&state)
            return isLimit
        }
        if isFull == true { ended(self) }
    }

    /// Why the recording ends if these lines are to be added, if it does.
    private func endingInstead(of lines: Data, _ state: State) -> EventRecorder.Ending? {
        if case .bytes(let limit) = limit, state.bytes + lines.count + RecordingFormat.longestFooter > limit {
            return .full
        }
        return state.waiting.count + lines.count > EventRecorder.largestBacklog ? .tooSlow : nil
    }

    /// Ends the recording, unless it has ended.
    func stop(at instant: Duration) {
        let time = (instant - beginning).nanoseconds
        let hasEnded = state.withLock { state in
            if state.ending != nil { return false }
            state.time = max(time, state.time)
            end(.stopped, &state)
            return true
        }
        if hasEnded { ended(self) }
    }

    /// Adds the last line. Called under the lock.
    private func end(_ ending: EventRecorder.Ending, _ state: inout State) {
        let reason =
            switch ending {
            case .stopped: "stopped"
            case .full: "full"
            case .tooSlow: "tooSlow"
            case .failed: "failed"
            }
        let footer = Data(RecordingFormat.footer(time: state.time, reason).utf8)
        state.bytes += footer.count
        state.waiting.append(footer)
        state.ending = ending
        state.numbers = [:]
        resume(&state)
    }

    /// Writes what waits, unless that is under way. Called under the lock.
    private func resume(_ state: inout State) {
        if state.isWriting { return }
        state.isWriting = true
        queue.async { self.writeWaiting() }
    }

    // MARK: On the queue

    private func writeWaiting() {
        while true {
            let (bytes, hasEnded) = state.withLock { state in
                let bytes = exchange(&state.waiting, with: Data())
                if bytes.isEmpty, state.ending == nil { state.isWriting = false }
                return (bytes, state.ending != nil)
            }
            if bytes.isEmpty {
                if hasEnded { finish() }
                return
            }
            do throws(SystemError) {
                try writeFile(descriptor, bytes)
            } catch {
                return fail(error)
            }
        }
    }

    private func fail(_ error: SystemError) {
        let isNew = state.withLock { state in
            defer {
                state.ending = .failed(error)
                state.waiting = Data()
                state.numbers = [:]
            }
            return state.ending == nil
        }
        if isNew { ended(self) }
        finish()
    }

    private func finish() {
        close(descriptor)
        token.dispose()
    }
}

/// A stream that is recorded: a signal, or one start of a producer.
@usableFromInline
final class RecordingSource: Sendable {
    /// A number that no other one has.
    let identity: UInt
    let name: String

    private static let identities = AtomicWord(0)

    @usableFromInline
    init(_ name: String) {
        identity = Self.identities.increment()
        self.name = name
    }
}
