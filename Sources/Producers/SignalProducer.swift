/// Work that has not begun: each start does it anew, and sends what comes of it to the one who started it.
///
///     let rolls = SignalProducer<Int, Never> { observer, lifetime in
///         for _ in 1...3 { observer.sendNext(.random(in: 1...6)) }
///         observer.sendCompleted()
///     }
///     rolls.startWithNext { print($0) }  // three numbers
///     rolls.startWithNext { print($0) }  // three others
///
/// A producer is a value. Applying an operator runs nothing: it makes a producer whose start starts this one.
///
/// **Threads**: the work begins on the thread that calls `start`, and its events come on the threads that it sends them from,
/// one at a time. Only an operator that takes a scheduler changes that.
///
/// **Disposal**: `start` returns a disposable. Disposing of it cancels the work: no value reaches the observer from then on,
/// it gets ``/HotSignals/Event/interrupted``, and then what the work had attached to its lifetime is disposed of. After a terminal event
/// the same is disposed of, after the observer has seen it. A start need not be kept: it goes on by itself.
///
/// The interruption takes the way of every event: an operator that takes a scheduler, such as ``observe(on:)``, delivers it there.
/// Without one it comes on the thread that disposes, or, if another is delivering an event, on that one, next.
///
/// **One after another**: where one producer follows another in a start, as with `concat`, `then`, `retry`, `repeat`, `flatMapError` and
/// `flatMap`, the lifetime of the one that has ended ends before the next begins: what it used is free by then. The
/// observer sees the end of the last one before its lifetime ends.
@frozen
public struct SignalProducer<Value: Sendable, Failure: Error>: Sendable {
    /// What a start does.
    @frozen @usableFromInline
    package enum Work: Sendable {
        /// Sends one value and completes.
        case value(Value)
        /// Ends at once.
        case ended(Termination<Failure>)
        /// Runs a user's closure with an input that any thread may send into.
        case handler(@Sendable (Signal<Value, Failure>.Observer, Lifetime) -> Void)
        /// Sends into a sink, as the comment on ``Run`` says.
        case chain(@Sendable (Run, ProducerSink<Value, Failure>) -> Void)
    }

    @usableFromInline package let work: Work
    @usableFromInline package let streamName: StreamName
    /// What a thread does that finds the events being delivered by another.
    @usableFromInline package let contention: Contention

    @inlinable
    package init(_ name: StreamName, _ work: Work, contention: Contention = .wait) {
        streamName = name
        self.work = work
        self.contention = contention
    }

    /// A producer made of a closure that sends into the chain of operators.
    @inlinable
    package init(
        _ name: StreamName, contention: Contention = .wait,
        chain: @escaping @Sendable (Run, ProducerSink<Value, Failure>) -> Void
    ) {
        self.init(name, .chain(chain), contention: contention)
    }

    /// Makes a producer whose every start runs `startHandler`.
    ///
    /// - Parameters:
    ///   - contention: What a thread does that sends while another one's event is being delivered.
    ///   - startHandler: Called on the thread of the start. It sends into the observer, now or later and from any thread; a
    ///     release of the observer without a terminal event interrupts. The lifetime ends after a terminal event, or when the
    ///     start is disposed of: attach to it what is to be cancelled then.
    @inlinable
    public init(
        contention: Contention = .wait,
        _ startHandler: @escaping @Sendable (_ observer: Signal<Value, Failure>.Observer, _ lifetime: Lifetime) -> Void
    ) {
        self.init(StreamName("producer"), .handler(startHandler), contention: contention)
    }

    /// Begins the work of a run. Called once a run.
    @inlinable
    package func begin(_ run: Run, _ sink: ProducerSink<Value, Failure>) {
        switch work {
        case .value(let value):
            if !run.isOver { sink.next(value) }
            sink.finish()
        case .ended(let termination): sink.finish(termination)
        case .handler(let handler):
            if let core = Core.head(of: sink, contention: contention) {
                handler(Signal<Value, Failure>.Observer(core: core), run)
            }
        case .chain(let chain): chain(run, sink)
        }
    }
}

extension Core {
    /// A core that serialises what a source sends into a sink, attached to the run.
    ///
    /// - Returns: Nil if the run is over, in which case nothing is to be begun and the sink has been told.
    @inlinable
    package static func head(
        of sink: ProducerSink<Value, Failure>, named name: StreamName = StreamName("producer"),
        contention: Contention = .wait
    ) -> Core? {
        let core = Core(rootNamed: name, contention: contention)
        core.adopt(sink)
        if sink.run.attach(core) { return core }
        core.cutOff()
        sink.finish(.interrupted)
        return nil
    }
}
