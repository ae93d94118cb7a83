/// A description of work that sends events. Each start runs the work separately, for one observer.
///
/// ```swift
/// let rolls = SignalProducer<Int, Never> { observer, lifetime in
///     for _ in 1...3 { observer.sendNext(.random(in: 1...6)) }
///     observer.sendCompleted()
/// }
/// rolls.startWithNext { print($0) }  // three numbers
/// rolls.startWithNext { print($0) }  // three others
/// ```
///
/// A producer is a value. Applying an operator runs nothing: it returns a producer whose start starts this one.
///
/// **Threads**: the work begins on the thread that calls `start`. Events are delivered on the threads that send them,
/// one at a time. Only an operator that takes a scheduler changes that.
///
/// **Disposal**: `start` returns a disposable that cancels the work. After disposal no value reaches the observer. The
/// observer receives ``/HotSignals/Event/interrupted``, and then everything attached to the lifetime of the work is
/// disposed of. After a terminal event the same cleanup runs, once the observer has received the event. You need not
/// store the disposable: the work continues without it.
///
/// The interruption takes the same path as other events: an operator that takes a scheduler, such as ``observe(on:)``,
/// delivers it there. Without a scheduler it is delivered by the thread that disposes, or, as the next event, by the
/// thread that is delivering.
///
/// **Sequences of producers**: with `concat`, `then`, `retry`, `repeat`, `flatMapError` and `flatMap`, one start runs
/// producers one after another. The lifetime of a producer that has ended ends before the next one begins, so its
/// resources are free by then; only `.latest` does not wait for that. The observer receives the terminal event of the
/// last one before the lifetime of that one ends, except where others that have ended still wait for their turn or
/// belong to a key.
@frozen
public struct SignalProducer<Value: Sendable, Failure: Error>: Sendable {
    /// What a start does.
    @frozen @usableFromInline
    package enum Work: Sendable {
        /// Sends one value and completes.
        case value(Value)
        /// Terminates immediately.
        case ended(Termination<Failure>)
        /// Runs the user's closure with an input that any thread may send into.
        case handler(@Sendable (Signal<Value, Failure>.Observer, Start) -> Void)
        /// Sends into a sink, as described at ``Start``.
        case chain(@Sendable (Start, ProducerSink<Value, Failure>) -> Void)
    }

    @usableFromInline package let work: Work
    @usableFromInline package let streamName: StreamName
    /// What a sender does while another thread is delivering an event.
    @usableFromInline package let contention: Contention
    /// Whether the source waits for the senders of its start: see `Start.senders`.
    @usableFromInline package let isSuspendable: Bool

    @inlinable
    package init(_ name: StreamName, _ work: Work, contention: Contention = .wait, isSuspendable: Bool = false) {
        streamName = name
        self.work = work
        self.contention = contention
        self.isSuspendable = isSuspendable
    }

    /// Creates the producer of an operator with one source. It has the contention of the source, and can be suspended
    /// if the source can.
    // Always inlined, because generic code that is not specialized would look metadata up for the call.
    @inlinable @inline(__always)
    package init<SourceValue, SourceFailure>(
        _ name: StreamName, _ work: Work, of source: SignalProducer<SourceValue, SourceFailure>
    ) {
        self.init(name, work, contention: source.contention, isSuspendable: source.isSuspendable)
    }

    /// The same for an operator that sends into the chain of operators.
    @inlinable @inline(__always)
    package init<SourceValue, SourceFailure>(
        _ name: StreamName, of source: SignalProducer<SourceValue, SourceFailure>,
        chain: @escaping @Sendable (Start, ProducerSink<Value, Failure>) -> Void
    ) {
        self.init(name, .chain(chain), of: source)
    }

    /// Creates a producer from a closure that sends into the chain of operators.
    @inlinable
    package init(
        _ name: StreamName, contention: Contention = .wait, isSuspendable: Bool = false,
        chain: @escaping @Sendable (Start, ProducerSink<Value, Failure>) -> Void
    ) {
        self.init(name, .chain(chain), contention: contention, isSuspendable: isSuspendable)
    }

    /// Creates a producer that runs `startHandler` once per start.
    ///
    /// - Parameters:
    ///   - contention: What a sender does while another thread is delivering an event of the same start.
    ///   - startHandler: Called on the thread that starts the producer. It can send into the observer immediately or
    ///     later, from any thread. Releasing the observer without a terminal event interrupts the start. The lifetime
    ///     ends after a terminal event, or when the start is disposed of: attach to it what must then be cancelled or
    ///     released.
    @inlinable
    public init(
        contention: Contention = .wait,
        _ startHandler: @escaping @Sendable (_ observer: Signal<Value, Failure>.Observer, _ lifetime: Lifetime) -> Void
    ) {
        self.init(StreamName("producer"), .handler(startHandler), contention: contention)
    }
}

extension Core {
    /// Creates a core that serializes what a source sends into a sink, and attaches it to the start.
    ///
    /// - Returns: `nil` if the start is over. Then no work must begin, and the sink has received the
    ///   interruption.
    @inlinable
    package static func head(
        of sink: ProducerSink<Value, Failure>, contention: Contention = .wait
    ) -> Core? {
        let core = Core(rootNamed: StreamName("producer"), contention: contention)
        core.adopt(sink)
        if sink.start.attach(core) { return core }
        core.cutOff()
        sink.end(.interrupted)
        return nil
    }
}
