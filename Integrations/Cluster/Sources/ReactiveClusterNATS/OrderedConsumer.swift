import ReactiveCluster
import Synchronization

/// Reads a stream in order, without a gap or a repetition, by asking for as many messages as it has room for.
///
/// The server keeps the position in a consumer that nobody acknowledges to. If a message is missing, if the server is
/// silent for too long, or after a reconnect, this makes another consumer behind the last message. What follows from
/// the state of the stream is decided with the numbers of its leader, because a consumer may live on a server that is
/// behind.
final class OrderedConsumer: Member {
    /// Where to begin.
    enum Start: Sendable {
        /// Behind a sequence. Removed entries in between are an error.
        case after(UInt64)
        /// With the last message of one subject, or of each subject with a prefix, and again after each interruption.
        case snapshot(of: String, isPrefix: Bool)
    }

    /// What the owner hears, one event at a time. The bytes are copies.
    enum Event: Sendable {
        case message(Message)
        /// All messages that there were when the reading began have been reported. Only of snapshots.
        case synchronized
        /// Messages may be missing. With ``Start/snapshot(filter:)`` another snapshot follows.
        ///
        /// - Parameter isAnother: Whether the stream may be another one, whose sequences begin again.
        case interrupted(isAnother: Bool)
        /// The last event.
        case failed(TransportError)
    }

    struct Message: Sendable {
        var sequence: UInt64
        var subject: String
        var payload: [UInt8]
        var isDeletion: Bool
    }

    private struct State {
        var phase = Phase.idle
        /// Counts consumers. Answers to earlier ones are ignored.
        var generation: UInt64 = 0
        /// The sequence of the last message that was reported.
        var position: UInt64
        /// The next number in the count of the consumer.
        var next: UInt64 = 1
        /// How many messages the server may still send.
        var requested = 0
        /// How many messages the owner holds.
        var held = 0
        var heard = ContinuousClock.now
        /// When the stream was made, once known.
        var created: String?
        var hasBeenActive = false
        var snapshot = Snapshot.complete
        var subscription: CSubscription?
        var events: [Event] = []
        var isReporting = false
    }

    private enum Snapshot {
        case complete
        /// - Parameters:
        ///   - missing: How many messages the consumer has announced that have not come.
        ///   - last: What the leader has stored last. A server that is behind has an older snapshot, which the messages up
        ///     to this one complete.
        case incomplete(missing: UInt64, last: UInt64, since: ContinuousClock.Instant)
    }

    private enum Phase {
        case idle
        case preparing
        case reading(consumer: String)
        case ended
    }

    /// The greatest number of messages that the server has been asked for or that the owner holds.
    static let window = 256
    private static let windowBytes = 1 << 20
    private static let patience = Duration.seconds(2)
    private static let shortTimeout = Duration.milliseconds(750)

    private let stream: String
    private let start: Start
    private let receive: @Sendable (Event) -> Void
    private let inbox: String
    private let state: Mutex<State>
    private weak let transport: NATSTransport?
    private let heartbeat: Duration

    /// - Parameter receive: Called on a thread of the transport or of the C client. It must not block.
    init(
        transport: NATSTransport, stream: String, start: Start, receive: @escaping @Sendable (Event) -> Void
    ) {
        self.transport = transport
        self.stream = stream
        self.start = start
        self.receive = receive
        inbox = makeInbox()
        heartbeat = transport.options.heartbeat
        var position: UInt64 = 0
        if case .after(let sequence) = start { position = sequence }
        state = Mutex(State(position: position))
    }

    /// The owner has taken messages, so that there is room for others.
    func release(_ count: Int) {
        let pull = state.withLock { state in
            state.held -= count
            return self.pull(&state)
        }
        send(pull)
    }

    /// Ends the reading. No event follows.
    func end() {
        let ended: (CSubscription?, String?)? = state.withLock { state in
            if case .ended = state.phase { return nil }
            var consumer: String?
            if case .reading(let name) = state.phase { consumer = name }
            state.phase = .ended
            state.events = []
            defer { state.subscription = nil }
            return (state.subscription, consumer)
        }
        guard let ended else { return }
        ended.0?.end()
        if let transport {
            transport.remove(self)
            if let consumer = ended.1 { JetStream(transport: transport).deleteConsumer(consumer, of: stream) }
        }
    }

    // MARK: Member

    func attach(_ client: CConnection) {
        guard state.withLock({ $0.subscription == nil }) else { return }
        do throws(TransportError) {
            let made = try client.subscribe(
                to: inbox + ".*", isBounded: false, receive: .message { [weak self] in self?.take($0) })
            let isKept = state.withLock { state in
                if case .ended = state.phase { return false }
                guard state.subscription == nil else { return false }
                state.subscription = made
                return true
            }
            if isKept { restart(isAnother: false, isFirst: true) } else { made.end() }
        } catch {
            fail(error)
        }
    }

    func connected() { restart(isAnother: false) }

    func disconnected() {
        report { state in
            guard case .reading = state.phase else { return }
            state.phase = .idle
            state.generation += 1
            self.interrupt(&state, isAnother: false)
        }
    }

    func refused(_ subject: String) {
        if subject.hasPrefix(inbox) { fail(.notPermitted(subject)) }
    }

    func closed(_ error: TransportError) { fail(error) }

    func tick(_ now: ContinuousClock.Instant) {
        report { state in
            // The last message has expired before it was read.
            guard case .incomplete(missing: 0, _, let since) = state.snapshot, now - since > Self.patience else {
                return
            }
            state.snapshot = .complete
            state.events.append(.synchronized)
        }
        let isSilent = state.withLock { state in
            guard case .reading = state.phase else { return false }
            // With nothing requested the server says nothing, and may forget the consumer.
            return state.requested > 0 ? now - state.heard > heartbeat * 5 / 2 : false
        }
        if isSilent { restart(isAnother: false) }
    }

    // MARK: Making a consumer

    private func restart(isAnother: Bool, isFirst: Bool = false) {
        var next: UInt64?
        report { state in
            switch state.phase {
            case .ended: return
            case .idle where !isFirst && state.subscription == nil: return
            case .preparing where !isAnother && !isFirst:
                // Another attempt at once, in place of the present one.
                break
            case .reading: self.interrupt(&state, isAnother: isAnother)
            default: break
            }
            state.phase = .preparing
            state.generation += 1
            next = state.generation
        }
        guard let next else { return }
        Task { await self.prepare(next) }
    }

    private func interrupt(_ state: inout State, isAnother: Bool) {
        state.requested = 0
        state.snapshot = .complete
        if case .snapshot = start { state.events.append(.interrupted(isAnother: isAnother)) }
    }

    private func isCurrent(_ generation: UInt64) -> Bool {
        state.withLock { state in
            if case .preparing = state.phase { return state.generation == generation }
            return false
        }
    }

    /// Makes a consumer, and tries again until that succeeds or cannot succeed.
    private func prepare(_ generation: UInt64) async {
        var attempts = 0
        /// Since when the servers have said that the stream is missing, or shorter than it was. Servers that have just
        /// started or elected a leader may not have caught up yet.
        var doubted: ContinuousClock.Instant?
        func isCertain() -> Bool {
            let since = doubted ?? .now
            doubted = since
            return .now - since > Self.patience
        }
        while isCurrent(generation), let transport {
            do throws(TransportError) {
                let jetStream = JetStream(transport: transport, timeout: timeout(attempts, transport))
                guard let info = try await jetStream.info(stream) else {
                    if isCertain() { return fail(missingStream()) }
                    throw .noServer("the stream \(stream) is missing")
                }
                if let failure = check(info) {
                    if case .sequenceBeyondEnd = failure, !isCertain() { throw .noServer("the stream is too short") }
                    return fail(failure)
                }
                let last = try await lastOfSnapshot(info, jetStream)
                if let consumer = try await jetStream.create(settings(), on: stream) {
                    return activate(generation, consumer, last, jetStream)
                }
            } catch {
                let hasBeenActive = state.withLock { $0.hasBeenActive }
                switch error {
                // A server that is starting knows of no stream for a moment.
                case .noStorage where hasBeenActive || attempts < 8: break
                case .storageFull where hasBeenActive: break
                default: if !error.isTransient { return fail(error) }
                }
            }
            attempts += 1
            let pause = min(1000, 50 << min(attempts, 5))
            try? await Task.sleep(for: .milliseconds(Int.random(in: pause / 2...pause)))
        }
    }

    /// A request that a server without a leader receives is never answered. So most attempts give up soon, and begin
    /// again as soon as there is a leader. Some wait for a server that is slow.
    private func timeout(_ attempts: Int, _ transport: NATSTransport) -> Duration {
        let longest = transport.options.requestTimeout
        return attempts % 8 == 7 ? longest : min(longest, Self.shortTimeout)
    }

    private func missingStream() -> TransportError {
        let position = state.withLock { $0.position }
        return position > 0
            ? .sequenceBeyondEnd(requested: position, last: 0)
            : .failed("the stream \(stream) does not exist: its servers have lost it, or it was deleted")
    }

    /// Compares the stream with what has been read of it.
    private func check(_ info: JetStream.StreamInfo) -> TransportError? {
        var failure: TransportError?
        report { state in
            let isAnother = state.created.map { $0 != info.created } ?? false
            switch self.start {
            case .after:
                if isAnother || info.state.lastSequence < state.position {
                    failure = .sequenceBeyondEnd(requested: state.position, last: info.state.lastSequence)
                } else if info.state.firstSequence > state.position + 1 {
                    failure = .compacted(from: info.state.firstSequence)
                } else {
                    state.created = info.created
                }
            case .snapshot:
                if isAnother { state.events.append(.interrupted(isAnother: true)) }
                state.created = info.created
            }
        }
        return failure
    }

    private func lastOfSnapshot(
        _ info: JetStream.StreamInfo, _ jetStream: JetStream
    ) async throws(TransportError) -> UInt64 {
        switch start {
        case .after: 0
        case .snapshot(let subject, isPrefix: false): try await jetStream.last(subject, of: stream)?.seq ?? 0
        case .snapshot: info.state.messages > 0 ? info.state.lastSequence : 0
        }
    }

    private func settings() -> ConsumerSettings {
        // Longer than the pause between two requests for messages.
        let threshold = Duration.seconds(60).nanoseconds
        switch start {
        case .after:
            let position = state.withLock { $0.position }
            return ConsumerSettings(
                deliverPolicy: "by_start_sequence", optStartSeq: position + 1, inactiveThreshold: threshold)
        case .snapshot(let subject, let isPrefix):
            return ConsumerSettings(
                deliverPolicy: "last_per_subject", filterSubject: isPrefix ? subject + ">" : subject,
                inactiveThreshold: threshold)
        }
    }

    private func activate(
        _ generation: UInt64, _ consumer: JetStream.ConsumerInfo, _ last: UInt64, _ jetStream: JetStream
    ) {
        var isCurrent = false
        var pull: Pull?
        report { state in
            guard case .preparing = state.phase, state.generation == generation else { return }
            isCurrent = true
            state.phase = .reading(consumer: consumer.name)
            state.hasBeenActive = true
            state.next = 1
            state.requested = 0
            state.heard = .now
            if case .snapshot = self.start {
                state.position = 0
                state.snapshot = .incomplete(missing: consumer.pending ?? 0, last: last, since: .now)
                Self.checkSnapshot(&state)
            }
            pull = self.pull(&state)
        }
        if !isCurrent { jetStream.deleteConsumer(consumer.name, of: stream) }
        send(pull)
    }

    // MARK: Requests for messages

    private struct Pull {
        var consumer: String
        var generation: UInt64
        var count: Int
    }

    /// Decides whether to ask for more messages.
    private func pull(_ state: inout State) -> Pull? {
        guard case .reading(let consumer) = state.phase, state.requested + state.held <= Self.window / 2 else {
            return nil
        }
        let count = Self.window - state.requested - state.held
        if state.requested == 0 { state.heard = .now }
        state.requested += count
        return Pull(consumer: consumer, generation: state.generation, count: count)
    }

    private func send(_ pull: Pull?) {
        guard let pull, let transport else { return }
        let bytes = max(Self.windowBytes, transport.maximumPayload + 1024)
        let body = """
            {"batch":\(pull.count),"max_bytes":\(bytes),"expires":30000000000,"idle_heartbeat":\(heartbeat.nanoseconds)}
            """
        // If this is lost, the heartbeats are missed.
        try? transport.send(
            Array(body.utf8), to: "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(pull.consumer)",
            reply: "\(inbox).\(pull.generation)")
    }

    // MARK: Messages

    /// Called by the C client with messages, and with what the server says about requests.
    private func take(_ message: CMessage) {
        if let position = Position(message.reply) {
            takeMessage(message, position)
        } else {
            takeStatus(message)
        }
    }

    private func takeMessage(_ message: CMessage, _ position: Position) {
        var pull: Pull?
        var isGap = false
        report { state in
            guard case .reading(let consumer) = state.phase, position.isOf(consumer) else { return }
            guard position.consumerSequence == state.next else {
                isGap = true
                return
            }
            state.next += 1
            state.requested -= 1
            state.heard = .now
            self.report(message, position, &state)
            pull = self.pull(&state)
        }
        if isGap { restart(isAnother: false) }
        send(pull)
    }

    private func report(_ message: CMessage, _ position: Position, _ state: inout State) {
        let sequence = position.streamSequence
        switch start {
        case .after:
            // A consumer on a server that is behind begins too early.
            if sequence <= state.position { return }
            if sequence > state.position + 1 {
                state.phase = .ended
                return state.events.append(.failed(.compacted(from: sequence)))
            }
            state.position = sequence
            state.held += 1
            state.events.append(.message(copy(message, sequence, isDeletion: false)))
        case .snapshot:
            let operation = message.payload.isEmpty ? message.header("KV-Operation") : nil
            state.position = sequence
            state.events.append(.message(copy(message, sequence, isDeletion: operation != nil)))
            guard case .incomplete(let missing, let last, let since) = state.snapshot else { return }
            let rest = missing > 1 && position.pending > 0 ? missing - 1 : 0
            state.snapshot = .incomplete(missing: rest, last: last, since: since)
            Self.checkSnapshot(&state)
        }
    }

    private static func checkSnapshot(_ state: inout State) {
        guard case .incomplete(missing: 0, let last, _) = state.snapshot, state.position >= last else { return }
        state.snapshot = .complete
        state.events.append(.synchronized)
    }

    private func copy(_ message: CMessage, _ sequence: UInt64, isDeletion: Bool) -> Message {
        var subject = ""
        if case .snapshot = start { subject = String(cString: message.subject) }
        return Message(
            sequence: sequence, subject: subject, payload: Array(message.payload), isDeletion: isDeletion)
    }

    private func takeStatus(_ message: CMessage) {
        guard let status = message.status else { return }
        let subject = String(cString: message.subject)
        let remaining = message.header("Nats-Pending-Messages").flatMap { Int($0) }
        let delivered = message.header("Nats-Last-Consumer").flatMap { UInt64($0) }
        let words = message.header("Description") ?? ""
        var pull: Pull?
        var isLost = false
        report { state in
            guard case .reading = state.phase, subject == "\(self.inbox).\(state.generation)" else { return }
            state.heard = .now
            switch status {
            case 100:
                // The server has sent messages that have not arrived.
                if let delivered, delivered >= state.next { isLost = true }
            case 404, 408: state.requested = max(0, state.requested - (remaining ?? state.requested))
            case 409 where words.contains("MaxBytes"):
                state.requested = max(0, state.requested - (remaining ?? state.requested))
            default: isLost = true
            }
            pull = self.pull(&state)
        }
        if isLost { return restart(isAnother: false) }
        send(pull)
    }

    // MARK: Events

    private func fail(_ error: TransportError) {
        report { state in
            if case .ended = state.phase { return }
            state.phase = .ended
            state.events.append(.failed(error))
        }
    }

    /// Changes the state, and reports the events that follow, unless another thread is reporting: then that one does.
    private func report(_ change: (inout State) -> Void) {
        let (isReporter, ended) = state.withLock { state in
            change(&state)
            var ended: CSubscription?
            if case .ended = state.phase { swap(&ended, &state.subscription) }
            if state.isReporting || state.events.isEmpty { return (false, ended) }
            state.isReporting = true
            return (true, ended)
        }
        if let ended {
            ended.end()
            transport?.remove(self)
        }
        guard isReporter else { return }
        while true {
            let events: [Event] = state.withLock { state in
                defer { state.events = [] }
                if state.events.isEmpty { state.isReporting = false }
                return state.events
            }
            if events.isEmpty { return }
            for event in events { receive(event) }
        }
    }
}

/// The place of a message, which JetStream writes into the address for its acknowledgment:
/// `$JS.ACK.<stream>.<consumer>.<delivered>.<stream sequence>.<consumer sequence>.<time>.<pending>`, or with the domain
/// and a hash of the account in front of the stream.
struct Position {
    private(set) var streamSequence: UInt64 = 0
    private(set) var consumerSequence: UInt64 = 0
    private(set) var pending: UInt64 = 0
    private var consumer = UnsafeBufferPointer<CChar>(start: nil, count: 0)

    /// Valid as long as the text.
    init?(_ text: UnsafePointer<CChar>?) {
        guard let text, text[0] == 0x24, text[1] == 0x4A, text[2] == 0x53, text[3] == 0x2E, text[4] == 0x41 else {
            return nil
        }
        var dots = 0
        var place = text
        while place.pointee != 0 {
            if place.pointee == 0x2E { dots += 1 }
            place += 1
        }
        let shift = dots >= 10 ? 2 : 0
        guard dots >= 8 else { return nil }
        var part = 0
        var number: UInt64 = 0
        var begin = text
        place = text
        while true {
            let character = place.pointee
            guard character == 0x2E || character == 0 else {
                number = number &* 10 &+ UInt64(UInt8(bitPattern: character)) &- 48
                place += 1
                continue
            }
            switch part - shift {
            case 3: consumer = UnsafeBufferPointer(start: begin, count: place - begin)
            case 5: streamSequence = number
            case 6: consumerSequence = number
            case 8:
                pending = number
                return
            default: break
            }
            if character == 0 { break }
            part += 1
            number = 0
            place += 1
            begin = place
        }
    }

    func isOf(_ name: String) -> Bool {
        name.utf8.elementsEqual(UnsafeRawBufferPointer(consumer))
    }
}
