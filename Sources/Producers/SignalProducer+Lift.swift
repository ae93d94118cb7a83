extension SignalProducer {
    /// Applies an operator on signals to the signal of each start.
    ///
    /// - Parameter transform: Called once per start, before the work begins. When the signal that it returns ends, the
    ///   work is cancelled.
    @inlinable
    public func lift<NewValue, NewFailure>(
        _ transform: @escaping @Sendable (Signal<Value, Failure>) -> Signal<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        lift("lift:", .unknown, transform)
    }

    /// Applies an operator on two signals to the signals of a start of each producer.
    ///
    /// Both signals are observed before any work begins. The argument's work begins first, then this producer's, so
    /// values that the argument sends immediately come first.
    @inlinable
    public func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>) -> (Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> (SignalProducer<Other, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
        { other in lift("lift:", other, .unknown) { transform($0)($1) } }
    }

    /// Applies an operator on two signals to the signal of each start and a signal.
    @inlinable
    public func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>) -> (Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> (Signal<Other, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
        { other in lift("lift:", .unknown) { transform($0)(other) } }
    }

    /// Applies an operator that is a signal operator, under its own name.
    @inlinable
    package func lift<NewValue, NewFailure>(
        _ name: StaticString, argument: Int = 0, _ lifted: LiftedOperator = .synchronous,
        _ transform: @escaping @Sendable (Signal<Value, Failure>) -> Signal<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        SignalProducer<NewValue, NewFailure>(derivedName(name, argument), contention: contention) { _, sink in
            let start = PreparedStart(self)
            let lifted = LiftedStart(transform(start.signal), into: sink, interrupting: [start.run], lifted)
            lifted.begin { start.begin() }
        }
    }

    /// Applies an operator on two signals, under its own name.
    ///
    /// - Parameter startsArgumentFirst: Whose work begins first. It can be observed where the work is synchronous.
    @inlinable
    package func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ name: StaticString, _ other: SignalProducer<Other, OtherFailure>,
        _ lifted: LiftedOperator = .synchronous, startsArgumentFirst: Bool = true,
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>, Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        SignalProducer<NewValue, NewFailure>(
            derivedName(name), contention: contention.joined(with: other.contention)
        ) { _, sink in
            let start = PreparedStart(self)
            let otherStart = PreparedStart(other)
            let lifted = LiftedStart(
                transform(start.signal, otherStart.signal), into: sink, interrupting: [start.run, otherStart.run],
                lifted)
            lifted.begin {
                start.letGoIfObserved()
                otherStart.letGoIfObserved()
                if startsArgumentFirst { otherStart.begin() }
                start.begin()
                if !startsArgumentFirst { otherStart.begin() }
            }
        }
    }
}

/// What is known of an operator that is applied to the signals of starts.
@frozen @usableFromInline
package enum LiftedOperator: Sendable {
    /// It passes on an interruption at once, unless another input has ended it before.
    case synchronous
    /// It delivers on a scheduler, where values may come that were on their way when the start was disposed of.
    case scheduled
    /// A user's. It may do all of this, and may not end when its inputs end.
    case unknown
}

/// The head of a chain whose source is a signal that was made of starts.
///
/// A disposal interrupts the starts, and the interruption takes the way of every event: through the operators in between, and
/// over their schedulers. But it may not arrive. The starts may have ended before, with events that have yet to come; the operator
/// may not end because one of its inputs does; or it may be in the middle of a stream that only its own end would stop. So the signal is
/// interrupted at its end as well, on the scheduler that delivers its events, if there is one. When, depends on the operator:
///
/// - As a rule when the starts have ended, so that what is between them and the signal hears of it first.
/// - At once if the operator is a user's and may have work that has to be stopped, unless the interruption of a start waits for a scheduler:
///   it would come on another thread than the events.
@usableFromInline
package final class LiftedStart: RunHead {
    private let starts: [Run]
    private let run: Run
    /// What observes the signal, in turn with all else that its gate serialises.
    private let head: SignalCore
    private let lifted: LiftedOperator

    /// Observes `signal`, which was made of the signals of `starts`.
    @usableFromInline
    package convenience init<Value, Failure>(
        _ signal: Signal<Value, Failure>, into sink: ProducerSink<Value, Failure>, interrupting starts: [Run],
        _ lifted: LiftedOperator = .synchronous
    ) {
        let head =
            switch lifted {
            case .synchronous: signal.core.deriveHead(sink)
            case .scheduled, .unknown: signal.core.deriveHead(WantedSink(downstream: sink))
            }
        self.init(head, sink.run, starts, lifted)
        head.observeUpstream(signal.core)
    }

    @usableFromInline
    init(_ head: SignalCore, _ run: Run, _ starts: [Run], _ lifted: LiftedOperator) {
        self.head = head
        self.run = run
        self.starts = starts
        self.lifted = lifted
    }

    /// Begins the work of the starts, unless the run is over; then they are interrupted, which the sink will be told.
    @usableFromInline
    package func begin(_ work: () -> Void) {
        if !run.attach(self) { interrupt() }
        work()
    }

    @usableFromInline @discardableResult
    package func interrupt() -> Bool {
        var isOnItsWay = false
        for start in starts where start.interrupt() { isOnItsWay = true }
        switch lifted {
        case .unknown where !isOnItsWay: head.interruptOnScheduler()
        case .synchronous, .scheduled, .unknown:
            head.reconsider()
            afterStarts { [head] in head.interruptOnScheduler() }
        }
        return isOnItsWay || head.schedulerObject != nil
    }

    /// Calls `action` when all starts have ended.
    private func afterStarts(_ action: @escaping @Sendable () -> Void) {
        let remaining = Locked(starts.count)
        for start in starts {
            start.observeEnded {
                let isLast = remaining.withLock { remaining in
                    remaining -= 1
                    return remaining == 0
                }
                if isLast { action() }
            }
        }
    }

    @usableFromInline
    package func cutOff() {
        head.cutOff()
        for run in starts { run.cutOff() }
    }
}
