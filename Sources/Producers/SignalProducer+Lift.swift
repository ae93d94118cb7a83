extension SignalProducer {
    /// Applies an operator on signals to the signal of each start.
    ///
    /// - Parameter transform: Called once a start, before the work begins. What ends the signal that it returns cancels the
    ///   work.
    @inlinable
    public func lift<NewValue, NewFailure>(
        _ transform: @escaping @Sendable (Signal<Value, Failure>) -> Signal<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        lift("lift:", transform)
    }

    /// Applies an operator on two signals to the signals of a start of each producer.
    ///
    /// Both signals are observed before any work begins. Then the argument's work begins, and after that this one's: what the
    /// argument sends at once comes first.
    @inlinable
    public func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>) -> (Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> (SignalProducer<Other, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
        { other in lift("lift:", other) { transform($0)($1) } }
    }

    /// Applies an operator on two signals to the signal of each start and a signal.
    @inlinable
    public func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ transform:
            @escaping @Sendable (Signal<Value, Failure>) -> (Signal<Other, OtherFailure>) ->
            Signal<NewValue, NewFailure>
    ) -> (Signal<Other, OtherFailure>) -> SignalProducer<NewValue, NewFailure> {
        { other in lift("lift:") { transform($0)(other) } }
    }

    /// Applies an operator that is a signal operator, under its own name.
    ///
    /// - Parameters:
    ///   - mayStall: Whether its signal may never end by itself once it has been disposed of, though its source has ended.
    ///   - keepsValues: Whether its signal may go on sending values for a while once it has been disposed of.
    @inlinable
    package func lift<NewValue, NewFailure>(
        _ name: StaticString, argument: Int = 0, mayStall: Bool = false, keepsValues: Bool = false,
        _ transform: @escaping @Sendable (Signal<Value, Failure>) -> Signal<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        SignalProducer<NewValue, NewFailure>(derivedName(name, argument), contention: contention) { _, sink in
            let start = PreparedStart(self)
            let lifted = LiftedStart(
                transform(start.signal), into: sink, interrupting: [start.run], mayStall: mayStall,
                keepsValues: keepsValues)
            lifted.begin { start.begin() }
        }
    }

    /// Applies an operator on signals that starts work of its own, which a disposal has to reach as well.
    @inlinable
    package func liftFlattening<NewValue, NewFailure>(
        _ name: StaticString, _ transform: @escaping @Sendable (Signal<Value, Failure>) -> Signal<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        SignalProducer<NewValue, NewFailure>(derivedName(name), contention: contention) { _, sink in
            let start = PreparedStart(self)
            let lifted = LiftedStart(
                transform(start.signal), into: sink, interrupting: [start.run], startsWork: true)
            lifted.begin { start.begin() }
        }
    }

    /// Applies an operator on two signals, under its own name.
    ///
    /// - Parameter startsArgumentFirst: Whose work begins first. It can be observed where the work is synchronous.
    @inlinable
    package func lift<Other, OtherFailure, NewValue, NewFailure>(
        _ name: StaticString, _ other: SignalProducer<Other, OtherFailure>, startsArgumentFirst: Bool = true,
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
                transform(start.signal, otherStart.signal), into: sink, interrupting: [start.run, otherStart.run])
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

/// The head of a chain whose source is a signal that was made of starts.
@usableFromInline
package final class LiftedStart: RunHead {
    private let starts: [Run]
    private let run: Run
    /// What observes the signal, in turn with all else that its gate serialises.
    private let head: SignalCore
    /// What ends the work that the operator itself has started. It may be busy sending, and the interruption of the starts
    /// would wait for it.
    private let ownWork: Lifetime?
    /// Whether the signal is always interrupted itself, too. A start that ends while it is being interrupted may have got its completion
    /// through, after which the signal would go on.
    private let mayStall: Bool

    /// Observes `signal`, which was made of the signals of `starts`.
    ///
    /// - Parameters:
    ///   - startsWork: Whether there is work that ends with the signal.
    ///   - mayStall: Whether the signal may never end, when it has been disposed of, though the starts have ended.
    ///   - keepsValues: Whether the signal may send values after that, which are dropped.
    @inlinable
    package convenience init<Value, Failure>(
        _ signal: Signal<Value, Failure>, into sink: ProducerSink<Value, Failure>, interrupting starts: [Run],
        startsWork: Bool = false, mayStall: Bool = false, keepsValues: Bool = false
    ) {
        let head = keepsValues ? signal.core.deriveHead(WantedSink(downstream: sink)) : signal.core.deriveHead(sink)
        self.init(head, sink.run, starts, startsWork ? signal.core.makeLifetime() : nil, mayStall)
        head.observeUpstream(signal.core)
    }

    @usableFromInline
    init(_ head: SignalCore, _ run: Run, _ starts: [Run], _ ownWork: Lifetime?, _ mayStall: Bool) {
        self.head = head
        self.run = run
        self.starts = starts
        self.ownWork = ownWork
        self.mayStall = mayStall
    }

    /// Begins the work of the starts, unless the run is over; then they are interrupted, which the sink will be told.
    @usableFromInline
    package func begin(_ work: () -> Void) {
        if !run.attach(self) { interrupt() }
        work()
    }

    /// Interrupts the starts, from which the signal makes what it makes of an interruption. If all of them have ended, and the
    /// signal goes on without them, it is the signal that is interrupted.
    @usableFromInline
    package func interrupt() {
        let haveEnded = starts.allSatisfy(\.isOver)
        for run in starts { run.dispose() }
        if haveEnded || mayStall || ownWork != nil { head.interrupt() } else { head.reconsider() }
        ownWork?.end()
    }

    @usableFromInline
    package func cutOff() {
        head.cutOff()
        for run in starts { run.cutOff() }
    }
}
