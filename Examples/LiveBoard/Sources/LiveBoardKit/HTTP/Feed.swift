import Hummingbird
import Metrics
import ReactiveSignals
import ReactiveSignalsMetrics
import Tracing

/// Sends the events of a board to clients as frames, and keeps the latest frames for clients that reconnect.
final class Feed: Sendable {
    private let board: Board
    private let settings: ServerSettings
    private let snapshots: SnapshotCache
    private let telemetry: Telemetry

    /// The frames of new events. Each event is encoded once for all clients.
    private let frames: Signal<Frame, Never>
    /// The latest frames followed by the new ones, without a gap.
    private let replay: SignalProducer<Frame, Never>
    /// Frames for all clients that are not events: heartbeats, and the number of clients.
    private let ambient: Signal<Frame, Never>
    private let ambience: any Disposable
    /// The number of clients of this process.
    private let watchers = MutableProperty(0)

    /// - Parameter past: The latest events.
    init(
        _ board: Board, past: [BoardEvent], _ settings: ServerSettings, _ telemetry: Telemetry,
        _ snapshots: SnapshotCache
    ) {
        self.board = board
        self.settings = settings
        self.telemetry = telemetry
        self.snapshots = snapshots
        // An event is sent in the context of the change that made it.
        frames = board.events.map { Frame($0, context: .current) }
        replay = SignalProducer(past.map { Frame($0) }).concat(SignalProducer(frames))
            .replayEagerly(upTo: settings.replay)
        let clock = QueueScheduler(name: "LiveBoard.ambient")
        // With `.enqueue`, the clock and the threads of clients never wait for each other.
        let (ambient, input) = Signal<Frame, Never>.pipe(contention: .enqueue)
        self.ambient = ambient
        watchers.producer.startWithNext { [board] in board.show(watchers: $0) }
        ambience = SignalProducer((board.watchers ?? Property(watchers)).signal)
            // Without this, a thousand clients that connect at once would cause a million messages.
            .throttle(.seconds(1), on: clock)
            .map { Frame.watchers($0) }
            .heartbeat(every: settings.heartbeat, on: clock) { Frame.heartbeat }
            .start(input)
    }

    deinit { ambience.dispose() }

    /// Sends events to one client until `stop` is true.
    ///
    /// Observes new events before it reads past ones, so that none is missed. Events that are in both are skipped by
    /// their number.
    ///
    /// Each client has its own buffer with the policy ``BufferingPolicy/oldest(_:)``, so senders never wait for a
    /// client. When the buffer has dropped an event, the client is told to reconnect after the last event it received.
    ///
    /// - Parameter after: The last event that the client has; `nil` to send the whole state first.
    func send(after: Int?, to writer: inout any ResponseBodyWriter, until stop: Property<Bool>) async throws {
        var after = after.flatMap { $0 < 0 ? nil : $0 }
        // A client with a number from the future has followed another process of the cluster, or another board.
        if let number = after {
            switch await board.catchUp(to: number, until: stop) {
            case .applied: break
            case .noSuchEvent: after = nil
            // An older state would take the client back in time. It asks again, perhaps another board.
            case .behind: return try await writer.write(Frame.greeting.bytes)
            }
        }
        let known = board.state.value.sequence
        var events = SignalProducer(frames)
        var room = settings.buffer
        if let after {
            events = replay.filter { ($0.sequence ?? 0) > after }
            // Remembered events arrive all at once, so they must not count against the buffer of a slow client.
            room += min(settings.replay, known - after)
        }
        let items = events.merge(with: ambient).take(until: stop.producer.filter { $0 }).tapped(by: telemetry.clients)
            .values(buffering: .oldest(room))
        var iterator = items.makeAsyncIterator()
        defer { telemetry.dropped.increment(by: items.droppedCount) }
        // Counted after it observes `ambient`, so that it receives the new number, too.
        watchers.modify { $0 += 1 }
        defer { watchers.modify { $0 -= 1 } }

        try await writer.write(Frame.greeting.bytes)
        var last: Int
        if let after {
            last = after
        } else {
            let snapshot = snapshots.entry(for: board.state.value)
            try await writer.write(snapshot.frame.bytes)
            last = snapshot.sequence
        }
        while let frame = await iterator.next() {
            if items.droppedCount > 0 {
                try await writer.write(Frame.resync(after: last).bytes)
                return
            }
            guard let sequence = frame.sequence else {
                try await writer.write(frame.bytes)
                continue
            }
            if sequence <= last { continue }
            // Events that are older than the remembered ones.
            last = try await sendHistory(from: last, upTo: sequence - 1, to: &writer)
            // A client that reconnects also receives frames whose traces have ended.
            try await send(frame, inTrace: sequence > known, to: &writer)
            last = sequence
        }
        if stop.value { try await writer.write(Frame.farewell.bytes) }
    }

    /// Sends an event, in a span of the trace of the request that made it.
    private func send(_ frame: Frame, inTrace: Bool, to writer: inout any ResponseBodyWriter) async throws {
        guard inTrace, let context = frame.context else { return try await writer.write(frame.bytes) }
        let span = startSpan("send event", context: context, ofKind: .producer)
        defer { span.end() }
        span.attributes["liveboard.sequence"] = frame.sequence
        do {
            try await writer.write(frame.bytes)
        } catch {
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }

    /// Sends events from the database, one page at a time. Returns the number of the last one.
    private func sendHistory(
        from first: Int, upTo end: Int, to writer: inout any ResponseBodyWriter
    ) async throws -> Int {
        var last = first
        while last < end {
            let page = try await board.history(after: last, limit: min(256, end - last))
            guard let newest = page.last else { break }
            try await writer.write(contentsOf: page.map { Frame($0).bytes })
            last = newest.sequence
        }
        return last
    }
}
