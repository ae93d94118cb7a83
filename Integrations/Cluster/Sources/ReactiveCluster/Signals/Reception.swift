public import ReactiveSignals

/// What the starts of a ``RemoteSignal`` receive from.
@usableFromInline
struct ReceptionSource: Sendable {
    let transport: any Transport
    let subject: Subject
    let lane: Lane
    /// The largest message that is read.
    let maximumSize: Int
    /// How many messages, and bytes of messages, may wait.
    let maximumCount: Int
    let maximumBytes: Int

    /// What an observer learns besides values.
    @usableFromInline
    enum Report: Sendable {
        case gap(UInt64, Origin)
        case restarted(Origin)
        case unreadable(UnreadableMessage)
        case failed(TransportError)
    }

    /// Subscribes until the lifetime ends.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of the start.
    ///   - deliver: Decodes and delivers a value. Returns the description of an error of the codec. Called on the lane.
    ///   - report: Called on the lane, or by this function.
    @usableFromInline
    func start(
        _ lifetime: Lifetime, _ report: @escaping @Sendable (Report) -> Void,
        deliver: @escaping @Sendable (RawSpan, MessageFrame) -> String?
    ) {
        let reception = Reception(self, deliver, report)
        lifetime.observeEnded { reception.inbox.close() }
        do throws(TransportError) {
            lifetime += try transport.subscribe(
                to: subject,
                receive: { [lane] message in
                    if reception.inbox.add(message) { lane.run { reception.read() } }
                },
                failed: { [lane] error in lane.run { report(.failed(error)) } })
        } catch {
            report(.failed(error))
        }
    }
}

/// The receiving side of one start.
private final class Reception: @unchecked Sendable {
    // Sendable: only the lane uses the tracker.
    let inbox: Inbox
    private let source: ReceptionSource
    private let deliver: @Sendable (RawSpan, MessageFrame) -> String?
    private let report: @Sendable (ReceptionSource.Report) -> Void
    @exclusivity(unchecked) private var tracker = OriginTracker()

    init(
        _ source: ReceptionSource, _ deliver: @escaping @Sendable (RawSpan, MessageFrame) -> String?,
        _ report: @escaping @Sendable (ReceptionSource.Report) -> Void
    ) {
        self.source = source
        self.deliver = deliver
        self.report = report
        inbox = Inbox(maximumCount: source.maximumCount, maximumBytes: source.maximumBytes)
    }

    func read() {
        let (deliver, maximumSize) = (deliver, source.maximumSize)
        inbox.read(
            { message, storage, start in receive(message, storage, start, deliver, maximumSize) },
            dropped: { envelope in announce(tracker.beacon(envelope), envelope.origin) })
    }

    @inline(__always)
    private func receive(
        _ message: RawSpan, _ storage: FrameStorage, _ start: Int,
        _ deliver: @Sendable (RawSpan, MessageFrame) -> String?, _ maximumSize: Int
    ) {
        switch Envelope.read(message) {
        case .envelope(let envelope):
            guard envelope.kind == .value else { return receiveOther(envelope) }
            let arrival = tracker.value(envelope)
            if arrival != .inOrder, !announce(arrival, envelope.origin) { return }
            if message.byteCount > maximumSize {
                return unreadable(.tooLarge(size: message.byteCount, limit: maximumSize), envelope)
            }
            let frame = MessageFrame(
                storage: storage, start: start &+ Envelope.size, count: message.byteCount &- Envelope.size)
            if let error = deliver(message.extracting(Envelope.size...), frame) {
                unreadable(.decoding(error), envelope)
            }
        case .newerVersion(let version, let envelope):
            let arrival = tracker.value(envelope)
            if arrival == .inOrder || announce(arrival, envelope.origin) {
                unreadable(.newerVersion(version), envelope)
            }
        case .foreign: unreadable(.foreign, nil)
        }
    }

    @inline(never)
    private func receiveOther(_ envelope: Envelope) {
        switch envelope.kind {
        case .beacon: announce(tracker.beacon(envelope), envelope.origin)
        case .value, .answer: unreadable(.foreign, nil)
        }
    }

    @inline(never)
    private func unreadable(_ reason: UnreadableMessage.Reason, _ envelope: Envelope?) {
        report(
            .unreadable(
                UnreadableMessage(
                    place: source.subject.description, origin: envelope?.origin, sequence: envelope?.sequence,
                    reason: reason)))
    }

    /// Reports what has been lost.
    ///
    /// - Returns: Whether the message itself is to be delivered.
    @inline(never) @discardableResult
    private func announce(_ arrival: OriginTracker.Arrival, _ origin: Origin) -> Bool {
        switch arrival {
        case .inOrder: return true
        case .old: return false
        case .afterGap(let lost):
            report(.gap(lost, origin))
            return true
        case .restarted(let lost):
            report(.restarted(origin))
            if lost > 0 { report(.gap(lost, origin)) }
            return true
        }
    }
}
