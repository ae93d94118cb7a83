public import ColdProducers
public import Foundation
public import HotSignals
import ReactiveAsync

/// Records the events of streams in a file while it is switched on, so that a test can replay them.
///
/// ```swift
/// let (orders, input) = Signal<String, Never>.pipe()
/// let recorder = EventRecorder()
/// let recorded = orders.named("orders").recordEvents(to: recorder)
/// let handling = recorded.observeNext { print($0) }  // prints tea
///
/// try recorder.start(writingTo: file, upTo: .events(10_000))
/// input.sendNext("tea")
/// print(await recorder.finish()?.events ?? 0)  // prints 1
/// ```
///
/// One recorder can record any number of streams, of any types, in one file. It is off until ``start(writingTo:upTo:)``
/// is called. Nothing else leaves the process.
///
/// **Cost**: while it is off, an event costs one atomic load. While it is on, the sender's thread encodes the value as
/// JSON, which takes some microseconds. No lock is held meanwhile, but an event of the stream is in flight, as while an
/// observer is called.
///
/// **Bounds**: a recording never has a gap. It ends when it is full, when the file cannot be written, and when 16 MiB
/// of lines wait for a disk that is too slow. Senders never wait for the disk.
///
/// **Crashes**: lines are written as soon as the file takes them. If the process is killed, what has been written can
/// be replayed.
///
/// **Secrets**: the file contains whatever the values contain. Only its owner can read it. To leave something out,
/// record a `map` of the stream.
///
/// The format is JSON with one line for each event, described in <doc:RecordAndReplay>.
public final class EventRecorder: Sendable {
    /// When a recording is full. It then ends.
    public enum Limit: Hashable, Sendable {
        /// After a number of events.
        case events(Int)
        /// Before the file has more than a number of bytes.
        case bytes(Int)
    }

    /// Why a recording has ended.
    public enum Ending: Hashable, Sendable {
        /// It was stopped, or the recorder has been released.
        case stopped
        /// It has reached its limit.
        case full
        /// 16 MiB waited for the disk.
        case tooSlow
        /// The file could not be written, for example because the disk is full.
        case failed(SystemError)
    }

    /// What a recording contains, and why it has ended.
    public struct Summary: Hashable, Sendable {
        /// Why it has ended. `nil` while it is in progress.
        public let ending: Ending?
        /// The number of events.
        public let events: Int
        /// The number of bytes of the file, including those that wait for the disk.
        public let bytes: Int
    }

    private struct State {
        /// The recording in progress.
        var current: RecordingWriter?
        /// The recording that was started last.
        var last: RecordingWriter?
    }

    /// How many bytes may wait for the disk.
    static let largestBacklog = 1 << 24

    /// 1 while events are recorded.
    @usableFromInline let power = AtomicWord(0)
    /// The time since some instant.
    private let now: @Sendable () -> Duration
    private let state = Locked(State())

    /// Creates a recorder that is off, and whose times are those of the continuous clock.
    public convenience init() { self.init(now: ContinuousClock.now, { ContinuousClock.now }) }

    /// Creates a recorder that is off.
    ///
    /// - Parameter scheduler: Provides the times. Events are recorded on their sender's thread.
    public convenience init(on scheduler: some DelayScheduler) { self.init(now: scheduler.now, { scheduler.now }) }

    private init<Instant: InstantProtocol>(
        now start: Instant, _ now: @escaping @Sendable () -> Instant
    ) where Instant.Duration == Duration {
        self.now = { start.duration(to: now()) }
    }

    deinit { stop() }

    /// Whether events are recorded.
    @_alwaysEmitIntoClient @inline(__always)
    public var isRecording: Bool { power.loadRelaxed() != 0 }

    /// Begins a recording. If there is one in progress, it is stopped.
    ///
    /// Blocks until the file has been created.
    ///
    /// - Parameters:
    ///   - file: Where to write. Its folder must exist.
    ///   - limit: When the recording is full. Traps unless there is room for an event, or for 1,024 bytes.
    /// - Throws: The system call that has failed: for example with `EEXIST` if there is such a file. It is not
    ///   overwritten.
    public func start(writingTo file: URL, upTo limit: Limit) throws(SystemError) {
        FileHandle.checkURL(file, "start(writingTo:upTo:)")
        switch limit {
        case .events(let count): require(count > 0, "EventRecorder.start(upTo: \(limit)): the limit must be positive")
        case .bytes(let count):
            require(count >= 1_024, "EventRecorder.start(upTo: \(limit)): the limit must be at least 1,024 bytes")
        }
        let writer = try RecordingWriter(file, limit, beginning: now()) { [weak self] in self?.hasEnded($0) }
        let former = state.withLock { state in
            let former = state.current
            state.current = writer
            state.last = writer
            power.store(1)
            return former
        }
        former?.stop(at: now())
        // Its file may have failed before this recorder knew it.
        if writer.summary.ending != nil { hasEnded(writer) }
    }

    /// Ends the recording in progress, if there is one. An event that another thread is recording may be missing.
    ///
    /// Never waits for the disk: see ``finish()``.
    public func stop() { state.withLock { $0.current }?.stop(at: now()) }

    /// Ends the recording in progress, if there is one, and waits until its file has been written and closed.
    ///
    /// - Returns: The summary of the last recording. `nil` if there was none, or if the task is cancelled.
    @discardableResult
    public nonisolated(nonsending) func finish() async -> Summary? {
        stop()
        guard let last = state.withLock({ $0.last }) else { return nil }
        guard case .completed = await SignalProducer<Never, Never>.never.take(during: last.lifetime).wait() else {
            return nil
        }
        return last.summary
    }

    /// The summary of the last recording, or of the one in progress. `nil` if there was none.
    public var summary: Summary? { state.withLock { $0.last }?.summary }

    private func hasEnded(_ writer: RecordingWriter) {
        state.withLock { state in
            guard state.current === writer else { return }
            state.current = nil
            power.store(0)
        }
    }

    /// Records an event, unless the recording has ended in the meantime.
    @usableFromInline
    func record<Value: Encodable, Failure: Encodable>(_ event: Event<Value, Failure>, of stream: RecordingSource) {
        guard let writer = state.withLock({ $0.current }) else { return }
        let instant = now()
        let content = RecordingFormat.content(of: event)
        writer.append(content, at: instant, of: stream, isLast: event.isTerminating)
    }
}
