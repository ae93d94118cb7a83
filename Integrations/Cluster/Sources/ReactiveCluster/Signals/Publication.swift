import ReactiveSignals
import Synchronization

/// The publishing side of a ``RemoteSignal``: numbers messages, sends them in that order, and sends beacons.
@usableFromInline
final class Publication: Sendable {
    /// A message on its way through the gate of the pipe. Its content is used only inside.
    private final class Outgoing: @unchecked Sendable {
        // Sendable: the gate passes it from thread to thread.
        enum Content {
            case message([UInt8])
            /// A message that has no bytes, because of an error.
            case failure(TransportError)
            case beacon(isUrgent: Bool)
        }

        var content: Content
        /// Why it was not sent. Read by the sender, whose message another thread may be sending.
        let error = Mutex<TransportError?>(nil)

        init(_ content: Content) { self.content = content }
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
            var failure: TransportError?
            switch outgoing.content {
            case .message(var bytes):
                // Unshared, so that it is numbered in place.
                outgoing.content = .beacon(isUrgent: false)
                state.sequence += 1
                Envelope.number(&bytes, state.sequence)
                do throws(TransportError) {
                    try transport.publish(bytes, to: subject)
                } catch {
                    failure = error
                }
            case .failure(let error):
                // Numbered too, so that receivers see the gap.
                state.sequence += 1
                failure = error
            case .beacon(let isUrgent):
                if state.sequence > 0, isUrgent || !state.isBusy {
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
            if let failure {
                outgoing.error.withLock { $0 = failure }
                unsent.sendNext(failure)
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
        let outgoing = Outgoing(content(encode))
        pipe.input.sendNext(outgoing)
        if let error = outgoing.error.withLock({ $0 }) { throw error }
    }

    private func content(_ encode: (inout [UInt8]) throws -> Void) -> Outgoing.Content {
        let bytes: [UInt8]
        do {
            bytes = try envelope.bytes(capacity: 100, encode)
        } catch {
            return .failure(.encoding("\(error)"))
        }
        let limit = min(limit, transport.maximumPayload)
        return bytes.count > limit ? .failure(.payloadTooLarge(size: bytes.count, limit: limit)) : .message(bytes)
    }

    private func beacon(isUrgent: Bool) { pipe.input.sendNext(Outgoing(.beacon(isUrgent: isUrgent))) }

    func end() { lifetime.token.dispose() }
}
