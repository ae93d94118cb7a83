import ReactiveSignals
import Synchronization

/// The publishing side of a ``RemoteSignal``: numbers messages, sends them in that order, and sends beacons.
@usableFromInline
final class Publication: Sendable {
    /// A message on its way through the gate of the pipe. Used again once it has been sent.
    private final class Outgoing: @unchecked Sendable {
        // Sendable: the gate passes it from thread to thread, except for the error.
        enum Kind {
            case message
            /// A message that is not sent, because of an error that has been set.
            case failure
            case beacon, urgentBeacon
        }

        @exclusivity(unchecked) var kind: Kind
        /// The bytes of a message, whose sequence is set inside the gate.
        @exclusivity(unchecked) var bytes: [UInt8] = []
        /// Whether there is an error.
        let hasFailed = Atomic(false)
        /// Why it was not sent. Read by the sender, whose message another thread may be sending.
        let error = Mutex<TransportError?>(nil)

        init(_ kind: Kind) { self.kind = kind }

        func fail(_ error: TransportError) {
            self.error.withLock { $0 = error }
            hasFailed.store(true, ordering: .releasing)
        }
    }

    /// What only the gate of the pipe uses.
    private final class State: @unchecked Sendable {
        // Sendable: see above.
        var sequence: UInt64 = 0
        /// Whether anything was sent since the last tick of the beacon.
        var isBusy = false
    }

    /// The envelope of a value, without the sequence.
    let envelope: Envelope
    let unsent = Signal<TransportError, Never>.pipe()

    /// Serializes the senders: one waits while another one sends. A sender that is called by an observer of `unsent` is
    /// queued.
    private let pipe = Signal<Outgoing, Never>.pipe()
    private let lifetime = Lifetime.make()
    private let transport: any Transport
    private let limit: Int
    /// A message that has been sent, so that a thread that publishes alone allocates nothing per value.
    private let spare = Atomic<Unmanaged<Outgoing>?>(nil)
    /// The size of the largest message whose memory is kept.
    private static var keptSize: Int { 4096 }

    /// - Parameter limit: The largest message with its envelope.
    init(
        _ transport: any Transport, _ subject: Subject, _ origin: Origin, _ lane: Lane, limit: Int,
        beaconInterval: Duration?
    ) {
        self.transport = transport
        self.limit = limit
        envelope = Envelope(kind: .value, origin: origin, epoch: .random(in: .min ... .max), sequence: 0)
        let (state, unsent, envelope, beacons) = (State(), unsent.input, envelope, SerialDisposable())
        pipe.output.observeNext { [weak self] outgoing in
            switch outgoing.kind {
            case .message:
                state.sequence += 1
                // Moved out and back, which counts no references.
                var bytes: [UInt8] = []
                swap(&bytes, &outgoing.bytes)
                Envelope.number(&bytes, state.sequence)
                do throws(TransportError) {
                    try transport.publish(bytes, to: subject)
                } catch {
                    outgoing.fail(error)
                }
                swap(&bytes, &outgoing.bytes)
            case .failure:
                // Numbered too, so that receivers see the gap.
                state.sequence += 1
            case .beacon, .urgentBeacon:
                if state.sequence > 0, outgoing.kind == .urgentBeacon || !state.isBusy {
                    let beacon = Envelope(
                        kind: .beacon, origin: envelope.origin, epoch: envelope.epoch, sequence: state.sequence)
                    // A lost beacon is followed by another one.
                    try? transport.publish(beacon.bytes(), to: subject)
                }
                state.isBusy = false
                return
            }
            state.isBusy = true
            if state.sequence == 1, let beaconInterval {
                beacons.inner = lane.run(every: beaconInterval) { [weak self] in self?.beacon(isUrgent: false) }
            }
            if outgoing.hasFailed.load(ordering: .relaxed), let error = outgoing.error.withLock({ $0 }) {
                unsent.sendNext(error)
            }
        }
        lifetime.lifetime.observeEnded { [input = pipe.input] in
            beacons.dispose()
            input.sendCompleted()
            unsent.sendCompleted()
        }
        // What was sent before the connection was lost may not have arrived.
        lifetime.lifetime += transport.connection.signal.observeNext { [weak self] state in
            if state.isConnected { lane.run { [weak self] in self?.beacon(isUrgent: true) } }
        }
    }

    /// Sends a message. Its sequence is set on the way.
    ///
    /// - Parameter encode: Appends the value.
    @usableFromInline
    func send(_ encode: (inout [UInt8]) throws -> Void) throws(TransportError) {
        // Owned here, and not by a variable, which would be retained during each call.
        let owned = spare.exchange(nil, ordering: .acquiring) ?? .passRetained(Outgoing(.message))
        owned._withUnsafeGuaranteedRef { outgoing in
            do {
                envelope.begin(&outgoing.bytes)
                try encode(&outgoing.bytes)
                if outgoing.bytes.count > limit { refuse(outgoing) }
            } catch {
                outgoing.kind = .failure
                outgoing.fail(.encoding("\(error)"))
            }
            pipe.input.sendNext(outgoing)
        }
        var outgoing = owned.takeRetainedValue()
        // A message that waits for its turn is not used again, nor one that has failed. What the thread that has sent it
        // wrote is visible from here on.
        let isDone = isKnownUniquelyReferenced(&outgoing)
        atomicMemoryFence(ordering: .acquiring)
        if outgoing.hasFailed.load(ordering: .relaxed) {
            if let error = outgoing.error.withLock({ $0 }) { throw error }
        } else if isDone, outgoing.bytes.count <= Self.keptSize {
            spare.exchange(.passRetained(outgoing), ordering: .acquiringAndReleasing)?.release()
        }
    }

    /// Refuses a message that is too large. The transport checks its own limit.
    @inline(never)
    private func refuse(_ outgoing: Outgoing) {
        outgoing.kind = .failure
        outgoing.fail(
            .payloadTooLarge(size: outgoing.bytes.count, limit: min(limit, transport.maximumPayload)))
    }

    private func beacon(isUrgent: Bool) { pipe.input.sendNext(Outgoing(isUrgent ? .urgentBeacon : .beacon)) }

    func end() { lifetime.token.dispose() }

    deinit { spare.load(ordering: .acquiring)?.release() }
}
