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
    ///   - report: Called on the lane, or by this function.
    ///   - deliver: Delivers the values of all messages that ``Reception/next()`` returns. Called on the lane.
    @usableFromInline
    func start(
        _ lifetime: Lifetime, _ report: @escaping @Sendable (Report) -> Void,
        deliver: @escaping @Sendable (Reception) -> Void
    ) {
        let reception = Reception(self, deliver, report)
        lifetime.observeEnded { reception.inbox.close() }
        do throws(TransportError) {
            lifetime += try transport.subscribe(
                to: subject, receive: { message in reception.receive(message) },
                failed: { [lane] error in lane.run { report(.failed(error)) } })
        } catch {
            report(.failed(error))
        }
    }
}

/// The receiving side of one start.
///
/// What is done to every message is inlined into the loop that decodes values in the user's module.
@usableFromInline
final class Reception: @unchecked Sendable {
    // Sendable: only the lane uses what changes.
    let inbox: Inbox
    private let source: ReceptionSource
    private let deliver: @Sendable (Reception) -> Void
    private let report: @Sendable (ReceptionSource.Report) -> Void
    @usableFromInline let maximumSize: Int
    @exclusivity(unchecked) @usableFromInline var tracker = OriginTracker()
    /// What the lane is reading, and the memory that has it.
    @exclusivity(unchecked) @usableFromInline var frames = Frames(next: nil, end: nil)
    @exclusivity(unchecked) private var storage: Unmanaged<FrameStorage>?

    init(
        _ source: ReceptionSource, _ deliver: @escaping @Sendable (Reception) -> Void,
        _ report: @escaping @Sendable (ReceptionSource.Report) -> Void
    ) {
        self.source = source
        self.deliver = deliver
        self.report = report
        maximumSize = source.maximumSize
        inbox = Inbox(maximumCount: source.maximumCount, maximumBytes: source.maximumBytes)
    }

    /// Called by the transport.
    func receive(_ message: RawSpan) {
        if inbox.add(message) { source.lane.run { self.read() } }
    }

    private func read() {
        inbox.read(
            { buffer in
                buffer.forEachChunk { frames, storage in
                    self.frames = frames
                    self.storage = .passUnretained(storage)
                    deliver(self)
                    self.frames = Frames(next: nil, end: nil)
                    self.storage = nil
                }
            },
            dropped: { envelope in announce(tracker.beacon(envelope), envelope.origin) })
    }

    /// Returns the bytes of the next value, and reports what was lost before it. They are valid until the next call.
    @inlinable @inline(__always)
    func next() -> UnsafeRawBufferPointer? {
        while let message = frames.pop() {
            // Everything but the next value of the origin that was heard last goes the slow way.
            if tracker.takeNext(message, maximumSize) || accept(message) {
                return UnsafeRawBufferPointer(rebasing: message[Envelope.size...])
            }
        }
        return nil
    }

    /// Returns the bytes that ``next()`` has returned together with their memory.
    @usableFromInline
    func frame(_ bytes: UnsafeRawBufferPointer) -> MessageFrame {
        // Only called while the lane is reading, which retains the memory.
        storage.unsafelyUnwrapped._withUnsafeGuaranteedRef { storage in
            MessageFrame(
                storage: storage, start: bytes.baseAddress.unsafelyUnwrapped - UnsafeRawPointer(storage.start),
                count: bytes.count)
        }
    }

    /// Reports that the codec has refused the bytes that ``next()`` has returned.
    @usableFromInline @inline(never)
    func refuse(_ error: String) {
        unreadable(.decoding(error), Origin(id: tracker.currentID), tracker.currentLast)
    }

    /// Registers any message, and reports what was lost and what cannot be read.
    ///
    /// - Returns: Whether it has a value that is to be decoded.
    @usableFromInline @inline(never)
    func accept(_ message: UnsafeRawBufferPointer) -> Bool {
        switch Envelope.read(message.bytes) {
        case .envelope(let envelope):
            switch envelope.kind {
            case .value: break
            case .beacon:
                announce(tracker.beacon(envelope), envelope.origin)
                return false
            case .answer:
                unreadable(.foreign)
                return false
            }
            guard announce(tracker.value(envelope), envelope.origin) else { return false }
            if message.count > maximumSize {
                unreadable(
                    .tooLarge(size: message.count, limit: maximumSize), envelope.origin, envelope.sequence)
                return false
            }
            return true
        case .newerVersion(let version, let envelope):
            if announce(tracker.value(envelope), envelope.origin) {
                unreadable(.newerVersion(version), envelope.origin, envelope.sequence)
            }
            return false
        case .foreign:
            unreadable(.foreign)
            return false
        }
    }

    private func unreadable(
        _ reason: UnreadableMessage.Reason, _ origin: Origin? = nil, _ sequence: UInt64? = nil
    ) {
        report(
            .unreadable(
                UnreadableMessage(
                    place: source.subject.description, origin: origin, sequence: sequence, reason: reason)))
    }

    /// Reports what has been lost.
    ///
    /// - Returns: Whether the message itself is to be delivered.
    @discardableResult
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

extension Reception {
    /// Decodes the values of all messages, and sends what `output` makes of them.
    @inlinable @inline(__always)
    func send<Value, Output>(
        _ codec: Codec<Value>, to observer: Signal<Output, TransportError>.Observer, _ output: (Value) -> Output
    ) {
        if let share = codec.share {
            while let bytes = next() { observer.sendNext(output(share(frame(bytes)))) }
            return
        }
        while let bytes = next() {
            let value: Value
            do {
                value = try codec.decode(bytes.bytes)
            } catch {
                refuse("\(error)")
                continue
            }
            observer.sendNext(output(value))
        }
    }

    /// Decodes the values of all messages into the same memory while nobody keeps it, and sends them.
    @inlinable @inline(__always)
    func send<Value>(
        _ reuse: Codec<Value>.Reuse, _ memory: ValueMemory<Value>, to observer: Signal<Value, TransportError>.Observer
    ) {
        // Moved from value to value, which counts no references.
        var former = memory.take(reuse.empty)
        while let bytes = next() {
            let value = reuse.read(bytes.bytes, consume former)
            observer.sendNext(value)
            former = consume value
        }
        if reuse.isSmall(former) { memory.value = former }
    }
}

/// The memory of the last value, between two readings.
@usableFromInline
final class ValueMemory<Value: Sendable>: @unchecked Sendable {
    // Sendable: only the lane uses it.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) { self.value = value }

    @inlinable
    func take(_ empty: Value) -> Value {
        defer { value = empty }
        return value
    }
}
