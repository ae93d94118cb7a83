extension SignalProducer {
    /// Applies an operator on signals to the signal of each start.
    ///
    /// - Parameter transform: Called once per start, before the work begins. When the signal that it returns ends, the
    ///   work is cancelled.
    @_alwaysEmitIntoClient
    public func lift<NewValue, NewFailure>(
        _ transform: @escaping @Sendable (Signal<Value, Failure>) -> Signal<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        SignalProducer<NewValue, NewFailure>(derivedName("lift:"), contention: contention) { _, sink in
            let start = PreparedStart(self)
            let lifted = LiftedStart(
                transform(start.signal), into: sink, interrupting: [start.subscription], isUsers: true)
            lifted.begin { start.begin() }
        }
    }

    /// Applies an operator on two signals to the signals of a start of each producer.
    ///
    /// Both signals are observed before any work begins. The argument's work begins first, then this producer's, so
    /// values that the argument sends immediately come first.
    @_alwaysEmitIntoClient
    public func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>) -> (Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> (SignalProducer<Other, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
        { other in
            SignalProducer<NewValue, NewFailure>(
                derivedName("lift:"), contention: contention.joined(with: other.contention)
            ) { _, sink in
                let start = PreparedStart(self)
                let otherStart = PreparedStart(other)
                let lifted = LiftedStart(
                    transform(start.signal)(otherStart.signal), into: sink,
                    interrupting: [start.subscription, otherStart.subscription], isUsers: true)
                lifted.begin {
                    start.releaseIfObserved()
                    otherStart.releaseIfObserved()
                    otherStart.begin()
                    start.begin()
                }
            }
        }
    }

    /// Applies an operator on two signals to the signal of each start and a signal.
    @_alwaysEmitIntoClient
    public func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>) -> (Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> (Signal<Other, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
        { other in lift { transform($0)(other) } }
    }
}

/// The head of a chain whose source is a signal derived from starts.
///
/// A disposal interrupts the starts, and the interruption takes the same path as every event: through the operators in
/// between, and over their schedulers. But it may not arrive. The starts may already have ended while their events are
/// still pending, the operator may not terminate when one of its inputs does, or the operator may be in the middle of a
/// stream that only its own termination would stop. So the signal is also interrupted at its end, on the scheduler that
/// delivers its events, if there is one. The operator determines when:
///
/// - Normally, when the starts have ended, so that everything between them and the signal receives the interruption
///   first.
/// - Immediately, if the operator is the user's, because it may have work that must be stopped. But not if a scheduler
///   has yet to deliver the interruption of a start: the immediate one would arrive on another thread than the events.
@usableFromInline
package final class LiftedStart: SubscriptionHead {
    private let starts: [Subscription]
    private let subscription: Subscription
    /// Observes the signal, and is serialized by the signal's gate.
    private let head: SignalCore
    /// Whether the operator is the user's. It may deliver on a scheduler, where values may still arrive that were pending
    /// when the start was disposed of, and may not terminate when its inputs do.
    private let isUsers: Bool
    /// What needs the starts, if they may outlive the result.
    private let users: SourceUsers?

    /// Observes `signal`, which is derived from the signals of `starts`.
    @usableFromInline
    package convenience init<Value, Failure>(
        _ signal: Signal<Value, Failure>, into sink: ProducerSink<Value, Failure>, interrupting starts: [Subscription],
        isUsers: Bool
    ) {
        let head = isUsers ? signal.core.deriveHead(WantedSink(downstream: sink)) : signal.core.deriveHead(sink)
        self.init(head, sink.subscription, starts, isUsers: isUsers)
        head.observeUpstream(signal.core)
    }

    @usableFromInline
    init(
        _ head: SignalCore, _ subscription: Subscription, _ starts: [Subscription], isUsers: Bool = false,
        users: SourceUsers? = nil
    ) {
        self.head = head
        self.users = users
        self.subscription = subscription
        self.starts = starts
        self.isUsers = isUsers
    }

    /// Begins the work of the starts. If the subscription is already over, the starts are interrupted instead, and so
    /// is the sink.
    @usableFromInline
    package func begin(_ work: () -> Void) {
        if !subscription.attach(self) { interrupt() }
        work()
    }

    @usableFromInline package var graphCore: SignalCore? { head }

    @usableFromInline package var graphSources: [Subscription] { starts }

    @usableFromInline @discardableResult
    package func interrupt() -> Bool {
        if let users, users.endResult() { return head.interrupt() }
        var isOnItsWay = false
        for start in starts where start.interruptForDisposal() { isOnItsWay = true }
        if isUsers, !isOnItsWay {
            head.interruptOnScheduler()
        } else {
            head.reconsider()
            afterStarts { [head] in head.interruptOnScheduler() }
        }
        return isOnItsWay || head.schedulerObject != nil
    }

    /// Calls `action` when all starts have ended, and the operator has received their terminal events.
    private func afterStarts(_ action: @escaping @Sendable () -> Void) {
        let remaining = Locked(starts.count)
        for start in starts {
            start.observeDelivered {
                let isLast = remaining.withLock { remaining in
                    remaining -= 1
                    return remaining == 0
                }
                if isLast { action() }
            }
        }
    }

    @usableFromInline package var deliversOnScheduler: Bool {
        head.schedulerObject != nil || starts.contains { $0.deliversOnScheduler }
    }

    @usableFromInline
    package func cutOff() {
        head.cutOff()
        if let users, users.endResult() { return }
        for subscription in starts { subscription.cutOff() }
    }
}
