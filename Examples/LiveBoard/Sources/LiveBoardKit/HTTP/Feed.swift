import Hummingbird
import Metrics
import ReactiveSignals

/// What clients follow: the events of a board as frames, the latest of which it remembers.
final class Feed: Sendable {
    private let board: Board
    private let settings: ServerSettings
    private let snapshots: SnapshotCache
    private let measures: Measures

    /// Each event, made into a frame once.
    private let frames: Signal<Frame, Never>
    /// The latest frames, and then each one: without a gap between them.
    private let replay: SignalProducer<Frame, Never>
    /// What all clients get beside the events: heartbeats, and how many they are.
    private let ambient: Signal<Frame, Never>
    private let ambience: any Disposable
    /// How many clients there are.
    private let watchers = MutableProperty(0)

    /// - Parameter past: The latest events.
    init(
        _ board: Board, past: [BoardEvent], _ settings: ServerSettings, _ measures: Measures, _ snapshots: SnapshotCache
    ) {
        self.board = board
        self.settings = settings
        self.measures = measures
        self.snapshots = snapshots
        frames = board.events.map { Frame($0) }
        replay = SignalProducer(past.map { Frame($0) }).concat(SignalProducer(frames))
            .replayEagerly(upTo: settings.replay)
        let clock = QueueScheduler(name: "LiveBoard.ambient")
        // No sender waits for another one.
        let (ambient, input) = Signal<Frame, Never>.pipe(contention: .enqueue)
        self.ambient = ambient
        ambience = SignalProducer.merge(
            SignalProducer.timer(interval: settings.heartbeat, on: clock).map { _ in Frame.heartbeat },
            // A thousand clients that come at once are a few changes, not a million messages.
            SignalProducer(watchers.signal).throttle(.seconds(1), on: clock).map { Frame.watchers($0) }
        ).start(input)
        watchers.producer.startWithNext { measures.clients.record($0) }
    }

    deinit { ambience.dispose() }

    /// Sends a client what it asks for, until `stop` is true.
    ///
    /// First it observes and then it looks at the past, so that nothing falls between the two; what is in both is skipped by its number.
    ///
    /// The client has a buffer of its own, with the policy ``BufferingPolicy/oldest(_:)``: whoever sends an event never waits
    /// for it. When something found no room, the client is told to come again from where it is.
    ///
    /// - Parameter after: The last event that the client has; nil if it has none and wants the whole state.
    func send(after: Int?, to writer: inout any ResponseBodyWriter, until stop: Property<Bool>) async throws {
        let known = board.state.value.sequence
        // One who knows of events that there are not has followed another board.
        let after = after.flatMap { (0...known).contains($0) ? $0 : nil }
        var events = SignalProducer(frames)
        var room = settings.buffer
        if let after {
            events = replay.filter { ($0.sequence ?? 0) > after }
            // What is remembered for it comes at once, and is not what makes it slow.
            room += min(settings.replay, known - after)
        }
        let items = events.merge(with: ambient).take(until: stop.producer.filter { $0 }).values(
            buffering: .oldest(room))
        var iterator = items.makeAsyncIterator()
        defer { measures.dropped.increment(by: items.droppedCount) }
        // After it has begun to observe, so that it is told itself.
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
            // What is older than what is remembered.
            last = try await sendHistory(from: last, upTo: sequence - 1, to: &writer)
            try await writer.write(frame.bytes)
            last = sequence
        }
        if stop.value { try await writer.write(Frame.farewell.bytes) }
    }

    /// Sends events out of the database, a page at a time. Returns the number of the last one.
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
