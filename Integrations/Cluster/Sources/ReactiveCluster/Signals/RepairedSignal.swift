public import ReactiveSignals
import Synchronization

/// A value with its place in a dense sequence: 1, 2, 3, ...
public struct Sequenced<Value: Sendable>: Sendable {
    /// The place.
    public let sequence: UInt64
    /// The value.
    public let value: Value

    /// Creates a value with its place.
    public init(_ sequence: UInt64, _ value: Value) {
        self.sequence = sequence
        self.value = value
    }
}

extension Sequenced: Equatable where Value: Equatable {}

/// Why a ``RepairedSignal`` could not go on.
public enum RepairError<Failure: Error>: Error {
    /// The repair of a range has failed, and the policy has given up.
    case failed(ClosedRange<UInt64>, Failure)
    /// The repair of a range has not returned all of it, several times. The range is what is missing.
    case incomplete(ClosedRange<UInt64>)
    /// The subscription was refused, or the transport closed.
    case transport(TransportError)
}

extension RepairError: Equatable where Failure: Equatable {}

/// A dense sequence from a system of record, observed in order, without a gap, over messages that may be lost.
///
/// ```swift
/// let orders = RepairedSignal<Order, StockError>(
///     try Subject("orders"), over: transport, codec: .json
/// ) { range async throws(StockError) in
///     try await database.orders(in: range)
/// }
/// try orders.publish(order, at: order.number)           // after the commit
/// orders.producer(after: lastSeen).startWithResult { ... }
/// ```
///
/// **Promise**: each start receives every value after the one that it names once, in order, whatever the transport
/// loses, repeats or reorders. It fails instead of leaving a value out.
///
/// **How**: a value that is the next is delivered. One that is known is dropped. At a gap, `repair` reads what is
/// missing, and what has come after waits. Each process that has published repeats the highest sequence at an interval,
/// so that a loss at the end is found too, as long as such a process lives. For more, pass `latest`: it is asked at
/// each start, after each reconnect and at the same interval.
///
/// **Memory**: at most `maximumHeld` values wait for a repair, and `repair` is asked for at most that many. Further ones
/// are dropped and repaired later. The same applies if an observer does not keep up.
///
/// Use ``Journal`` if there is no system of record.
public final class RepairedSignal<Value: Sendable, Failure: Error>: Sendable {
    /// The limits of a repaired signal.
    public struct Limits: Sendable {
        /// The largest message with its envelope, in bytes.
        public var message = 65_536
        /// How many values wait for a repair, and the largest range that is repaired at once.
        public var maximumHeld = 1024
        /// How many bytes of received messages may wait for an observer.
        public var waitingBytes = 8 << 20
        /// How often the highest sequence is repeated, and `latest` is asked.
        public var beaconInterval: Duration = .seconds(5)

        /// Creates the default limits.
        public init() {}
    }

    /// The subject under which values are sent.
    public let subject: Subject

    private let transport: any Transport
    private let origin: Origin
    private let source: RepairSource<Value, Failure>
    private let highest = Mutex<UInt64>(0)
    private let beacon = SerialDisposable()

    /// Creates a repaired signal. Neither sends nor subscribes.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - transport: The connection.
    ///   - codec: Turns values into bytes and back.
    ///   - origin: Who publishes.
    ///   - limits: The limits. Traps unless they are positive, and one message fits into `waitingBytes`.
    ///   - retry: What happens after a repair has failed. By default, it is repeated after 100 milliseconds and longer
    ///     delays of at most 5 seconds, 8 times.
    ///   - scheduler: Delivers values and measures the time. By default, a dispatch queue of its own.
    ///   - latest: Returns the highest sequence of the system of record. If it fails, it is asked again later.
    ///   - repair: Returns all values of a range, in any order. Called in a task, once at a time per start.
    public init(
        _ subject: Subject, over transport: any Transport, codec: Codec<Value>, as origin: Origin = .random(),
        limits: Limits = Limits(),
        retry: RetryPolicy<Failure> = .exponential(
            from: .milliseconds(100), cap: .seconds(5), jitter: 0.5, upTo: 8),
        on scheduler: some DelayScheduler = QueueScheduler(name: "RepairedSignal"),
        latest: (@Sendable () async throws(Failure) -> UInt64)? = nil,
        repair: @escaping @Sendable (_ range: ClosedRange<UInt64>) async throws(Failure) -> [Sequenced<Value>]
    ) {
        precondition(
            limits.message > 0 && limits.maximumHeld > 0 && limits.waitingBytes >= limits.message
                && limits.beaconInterval > .zero,
            "RepairedSignal(limits: \(limits)): the limits must be positive, and a message must fit into waitingBytes")
        self.subject = subject
        self.transport = transport
        self.origin = origin
        source = RepairSource(
            subject: subject, codec: codec, limits: limits, retry: retry, lane: Lane(scheduler), latest: latest,
            repair: repair)
    }

    deinit { beacon.dispose() }

    /// Sends a value, after the system of record has it.
    ///
    /// Several processes may publish the same value, in any order. An error need not be handled: observers read the
    /// value from the system of record.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - sequence: Its place in the sequence. Traps if 0.
    public func publish(_ value: Value, at sequence: UInt64) throws(TransportError) {
        precondition(sequence > 0, "RepairedSignal.publish(at: 0): the first sequence is 1")
        let isFirst = highest.withLock { highest in
            defer { highest = max(highest, sequence) }
            return highest == 0
        }
        if isFirst {
            let (transport, subject) = (transport, subject)
            beacon.inner = source.lane.run(every: source.limits.beaconInterval) { [weak self] in
                guard let self else { return }
                let beacon = Envelope(
                    kind: .beacon, origin: origin, epoch: 0, sequence: highest.withLock { $0 })
                // A lost beacon is followed by another one.
                try? transport.publish(beacon.bytes(), to: subject)
            }
        }
        let envelope = Envelope(kind: .value, origin: origin, epoch: 0, sequence: sequence)
        let limit = min(source.limits.message, transport.maximumPayload)
        try transport.publish(source.codec.message(envelope, value, limit: limit), to: subject)
    }

    /// Returns a producer of the values after a sequence.
    ///
    /// - Parameter sequence: The last value that is known already, 0 for none.
    public func producer(after sequence: UInt64) -> SignalProducer<Sequenced<Value>, RepairError<Failure>> {
        let (transport, subject, source) = (transport, subject, source)
        return SignalProducer { observer, lifetime in
            let repairs = Repairs(source, after: sequence, observer)
            lifetime.observeEnded { repairs.inbox.close() }
            lifetime += repairs.repairing
            lifetime += repairs.asking
            do throws(TransportError) {
                lifetime += try transport.subscribe(
                    to: subject,
                    receive: { message in
                        if repairs.inbox.add(message) { source.lane.run { repairs.read() } }
                    },
                    failed: { error in source.lane.run { observer.sendError(.transport(error)) } })
            } catch {
                return observer.sendError(.transport(error))
            }
            guard source.latest != nil else { return }
            source.lane.run { repairs.askForLatest() }
            lifetime += source.lane.run(every: source.limits.beaconInterval) { repairs.askForLatest() }
            lifetime += transport.connection.signal.observeNext { state in
                if state.isConnected { source.lane.run { repairs.askForLatest() } }
            }
        }
    }
}

/// What the starts of a repaired signal share.
struct RepairSource<Value: Sendable, Failure: Error>: Sendable {
    let subject: Subject
    let codec: Codec<Value>
    let limits: RepairedSignal<Value, Failure>.Limits
    let retry: RetryPolicy<Failure>
    let lane: Lane
    let latest: (@Sendable () async throws(Failure) -> UInt64)?
    let repair: @Sendable (ClosedRange<UInt64>) async throws(Failure) -> [Sequenced<Value>]
}
