import ReactiveSignals

/// The receiving side of one start of a ``RepairedSignal``.
final class Repairs<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: only the lane uses the variables.

    let inbox: Inbox
    /// The running repair, or the timer of the next one. Ends with the start.
    let repairing = SerialDisposable()
    /// The running question for the latest sequence. Ends with the start.
    let asking = SerialDisposable()

    private let source: RepairSource<Value, Failure>
    private let observer: Signal<Sequenced<Value>, RepairError<Failure>>.Observer
    /// The sequence that is delivered next.
    private var next: UInt64
    /// The highest sequence that is known to exist.
    private var head: UInt64
    /// Values after a gap.
    private var held: [UInt64: Value] = [:]
    private var isRepairing = false
    private var isAsking = false
    private var hasEnded = false
    /// How often in succession a repair has brought less than its range.
    private var shortfalls = 0

    /// How often a repair may bring less than its range.
    private static var maximumShortfalls: Int { 5 }

    init(
        _ source: RepairSource<Value, Failure>, after sequence: UInt64,
        _ observer: Signal<Sequenced<Value>, RepairError<Failure>>.Observer
    ) {
        self.source = source
        self.observer = observer
        next = sequence + 1
        head = sequence
        inbox = Inbox(maximumCount: source.limits.maximumHeld, maximumBytes: source.limits.waitingBytes)
    }

    func read() {
        inbox.read({ frames in frames.readMessages { receive($0) } }, dropped: { head = max(head, $0.sequence) })
        repair()
    }

    private func receive(_ message: RawSpan) {
        switch Envelope.read(message) {
        case .foreign: break
        case .newerVersion(_, let envelope): head = max(head, envelope.sequence)
        case .envelope(let envelope):
            head = max(head, envelope.sequence)
            guard envelope.kind == .value, envelope.sequence >= next, !hasEnded,
                message.byteCount <= source.limits.message
            else { return }
            // What cannot be decoded is missing, and the system of record has it.
            guard let value = try? source.codec.decode(message.extracting(Envelope.size...)) else { return }
            take(envelope.sequence, value)
        }
    }

    /// Delivers a value, or holds it.
    private func take(_ sequence: UInt64, _ value: Value) {
        guard sequence >= next else { return }
        guard sequence == next else {
            if held.count < source.limits.maximumHeld { held[sequence] = value }
            return
        }
        deliver(value)
        while let value = held.removeValue(forKey: next) { deliver(value) }
    }

    private func deliver(_ value: Value) {
        let sequence = next
        next += 1
        observer.sendNext(Sequenced(sequence, value))
    }

    private func end(_ error: RepairError<Failure>) {
        hasEnded = true
        held = [:]
        observer.sendError(error)
    }

    // MARK: Repair

    /// Begins a repair if something is missing.
    private func repair() {
        guard next <= head, !isRepairing, !hasEnded else { return }
        isRepairing = true
        let last = held.keys.min().map { $0 - 1 } ?? head
        let range = next...min(last, next + UInt64(source.limits.maximumHeld - 1))
        let attempts = SignalProducer<[Sequenced<Value>], Failure>.async { [source] () async throws(Failure) in
            try await source.repair(range)
        }
        repairing.inner = attempts.retry(source.retry, on: source.lane.scheduler).startWithResult { result in
            self.source.lane.run { self.hasRepaired(range, result) }
        }
    }

    private func hasRepaired(_ range: ClosedRange<UInt64>, _ result: Result<[Sequenced<Value>], Failure>) {
        isRepairing = false
        guard !hasEnded else { return }
        switch result {
        case .failure(let error):
            // Meanwhile the values may have arrived.
            if next > range.upperBound { repair() } else { end(.failed(next...range.upperBound, error)) }
        case .success(let values):
            for element in values.sorted(by: { $0.sequence < $1.sequence }) where range.contains(element.sequence) {
                take(element.sequence, element.value)
            }
            if next > range.upperBound {
                shortfalls = 0
                return repair()
            }
            shortfalls += 1
            if shortfalls == Self.maximumShortfalls { return end(.incomplete(next...range.upperBound)) }
            // A replica of the system of record may be behind.
            isRepairing = true
            repairing.inner = source.lane.run(after: .milliseconds(100) * (1 << shortfalls)) {
                self.isRepairing = false
                self.repair()
            }
        }
    }

    func askForLatest() {
        guard let latest = source.latest, !isAsking, !hasEnded else { return }
        isAsking = true
        let question = SignalProducer<UInt64, Failure>.async { () async throws(Failure) in try await latest() }
        asking.inner = question.startWithResult { result in
            self.source.lane.run {
                self.isAsking = false
                // If it has failed, it is asked again at the next interval.
                if case .success(let sequence) = result { self.head = max(self.head, sequence) }
                self.repair()
            }
        }
    }
}
