public import ReactiveSignals

/// A stream that is published in one process and observed in others, at most once.
///
/// ```swift
/// let prices = RemoteSignal<Price>(
///     try Subject("prices.eur"), over: transport, codec: .json, as: Origin("feed-1"))
/// prices <~ feed                                      // in one process
/// prices.deliveries().startWithResult { ... }         // in others
/// ```
///
/// **Promise**: values of one origin arrive in order, each at most once. A value that does not arrive is an event,
/// ``Delivery/gap(lost:_:)``, within the interval of the beacon once messages arrive again, and never silence. There is
/// no order between the values of different origins. What was sent before an observer first heard of an origin is
/// not a loss.
///
/// **Not for** what must arrive: use ``Journal``, or ``RepairedSignal`` if there is a system of record.
///
/// **Cost**: a message has an envelope of 28 bytes. Every 5 seconds in which it publishes nothing, a process that has
/// published before sends a beacon of this size, so that observers learn of losses at the end.
public final class RemoteSignal<Value: Sendable>: Sendable {
    /// The limits of a remote signal.
    public struct Limits: Sendable {
        /// The largest message with its envelope, in bytes. A larger one is refused when it is sent, and is
        /// ``Delivery/unreadable(_:)`` when it is received.
        public var message = 65_536
        /// How many received messages may wait for an observer. Further ones are dropped, which is a gap.
        public var waitingMessages = 4096
        /// How many bytes of received messages may wait for an observer.
        public var waitingBytes = 8 << 20
        /// How long a process that has published publishes nothing before it sends a beacon. `nil` for no beacons: a
        /// loss is then known only when the next value arrives.
        public var beaconInterval: Duration? = .seconds(5)

        /// Creates the default limits.
        public init() {}
    }

    /// The subject under which values are sent.
    public let subject: Subject
    /// Values that could not be sent, with the reason. Observers of this process and others see a gap.
    public let unsent: Signal<TransportError, Never>

    @usableFromInline let codec: Codec<Value>
    @usableFromInline let publication: Publication
    @usableFromInline let reception: ReceptionSource
    private let lifetime: (lifetime: Lifetime, token: Lifetime.Token)

    /// Creates a remote signal. Neither sends nor subscribes.
    ///
    /// - Parameters:
    ///   - subject: The subject. All processes use the same one, for one type of value.
    ///   - transport: The connection.
    ///   - codec: Turns values into bytes and back.
    ///   - origin: Who publishes: see ``Origin``. If one process has two remote signals with the same subject, they need
    ///     different origins.
    ///   - limits: The limits. Traps unless they are positive, and one message fits into `waitingBytes`.
    ///   - scheduler: Delivers received values, and measures the time. By default, a dispatch queue of its own.
    public init(
        _ subject: Subject, over transport: any Transport, codec: Codec<Value>, as origin: Origin = .random(),
        limits: Limits = Limits(), on scheduler: some DelayScheduler = QueueScheduler(name: "RemoteSignal")
    ) {
        precondition(
            limits.message > 0 && limits.waitingMessages > 0 && limits.waitingBytes >= limits.message,
            "RemoteSignal(limits: \(limits)): the limits must be positive, and one message must fit into waitingBytes")
        self.subject = subject
        self.codec = codec
        let lane = Lane(scheduler)
        publication = Publication(
            transport, subject, origin, lane, limit: limits.message, beaconInterval: limits.beaconInterval)
        reception = ReceptionSource(
            transport: transport, subject: subject, lane: lane, maximumSize: limits.message,
            maximumCount: limits.waitingMessages, maximumBytes: limits.waitingBytes)
        unsent = publication.unsent.output
        lifetime = Lifetime.make()
    }

    deinit {
        publication.end()
        lifetime.token.dispose()
    }

    // MARK: Publishing

    /// Sends a value to the present observers.
    ///
    /// Any thread may call it. Values are numbered in the order of the calls. A thread waits for another one that is
    /// sending, and, as ``Transport/publish(_:to:)`` does, for room in the outgoing buffer.
    ///
    /// - Throws: The reason if the value was not sent. Observers then see a gap. Called by an observer of ``unsent``,
    ///   it returns before the value is sent.
    @inlinable
    public func publish(_ value: Value) throws(TransportError) {
        // Specialized for the value where it is called. The rest is the same for all values.
        try publication.send { bytes in try codec.encode(value, &bytes) }
    }

    /// Sends the values of a stream until it ends or the returned disposable is disposed of. Errors are on ``unsent``.
    @discardableResult
    public func publish(_ stream: some SignalProducerConvertible<Value, Never>) -> any Disposable {
        stream.producer.take(during: lifetime.lifetime).startWithNext(bindingTarget.action)
    }

    // MARK: Observing

    /// Returns a producer of what is sent from the start on, by this process too.
    ///
    /// Each start subscribes separately. It delivers on the scheduler, one event at a time. An observer that does not
    /// keep up loses values, which it sees as gaps: see ``Limits``.
    ///
    /// Fails if the subscription is refused or the transport is closed. A lost connection does not end it.
    @inlinable
    public func deliveries() -> SignalProducer<Delivery<Value>, TransportError> {
        let (source, codec) = (reception, codec)
        return SignalProducer { observer, lifetime in
            let report: @Sendable (ReceptionSource.Report) -> Void = { report in
                switch report {
                case .gap(let lost, let origin): observer.sendNext(.gap(lost: lost, origin))
                case .restarted(let origin): observer.sendNext(.restarted(origin))
                case .unreadable(let message): observer.sendNext(.unreadable(message))
                case .failed(let error): observer.sendError(error)
                }
            }
            // Specialized for the value where it is called.
            source.start(lifetime, report) { reception in
                reception.send(codec, to: observer) { .value($0) }
            }
        }
    }

    /// The values of ``deliveries()`` without the reports of losses.
    @inlinable
    public func values() -> SignalProducer<Value, TransportError> {
        // Not `compactMap`, which costs more per value than everything else here.
        let (source, codec) = (reception, codec)
        return SignalProducer { observer, lifetime in
            let report: @Sendable (ReceptionSource.Report) -> Void = { report in
                if case .failed(let error) = report { observer.sendError(error) }
            }
            guard let reuse = codec.reuse else {
                return source.start(lifetime, report) { reception in reception.send(codec, to: observer) { $0 } }
            }
            let memory = ValueMemory(reuse.empty)
            source.start(lifetime, report) { reception in reception.send(reuse, memory, to: observer) }
        }
    }
}

extension RemoteSignal: BindingTargetProvider {
    /// A target that sends each value: `remote <~ signal`. Errors are on ``unsent``. It does not retain the signal.
    public var bindingTarget: BindingTarget<Value> {
        BindingTarget(lifetime: lifetime.lifetime) { [weak self] value in
            // The error is on `unsent`, which observers choose to look at, and every receiver sees the gap.
            try? self?.publish(value)
        }
    }
}
