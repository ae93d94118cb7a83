// The ways in which the work of a source begins. They differ in whose start it is, and in what the sink is. Those of
// inner streams, of one source after the other and of a start handler are where these are.

extension SignalProducer {
    /// Begins the work of a start, which sends into the sink downstream. Called once per start.
    ///
    /// For an operator whose result has no gate of its own: the source and the result share the start.
    @inlinable
    package func beginWork(of start: Start, into sink: ProducerSink<Value, Failure>) {
        switch work {
        case .value(let value):
            if !start.isOver { sink.next(value) }
            sink.end(.completed)
        case .ended(let termination): sink.end(termination)
        case .handler(let handler):
            if let core = Core.head(of: sink, contention: contention) {
                handler(Signal<Value, Failure>.Observer(core: core), start)
            }
        case .chain(let chain): chain(start, sink)
        }
    }

    /// Begins the work with a start of its own, which ends with the work, and not with the result.
    ///
    /// For an operator with several sources. If the start is already over, no work begins, and `sink` receives
    /// `interrupted` unless the start has already been ended.
    @_alwaysEmitIntoClient @inline(__always)
    func beginSeparately(_ start: Start, into sink: some Sink<Value, Failure>) {
        let end = ChainEnd(start, sink)
        if start.isOver { end.end(.interrupted) } else { beginWork(of: start, into: end.erased) }
    }

    /// Begins the work with a start of its own, and makes `core` the head of the result's start.
    ///
    /// For an operator that others than this producer act on: a scheduler, inner streams, tasks.
    ///
    /// What suspends the result suspends the source, unless the sink has a limit of its own.
    ///
    /// - Parameter result: The start of the result.
    @_alwaysEmitIntoClient @inline(__always)
    func beginUpstream<S: WorkingSink>(
        of result: Start, into sink: S, headedBy core: SignalCore
    ) where S.Value == Value, S.Failure == Failure {
        let source = Start(sourceOf: result)
        if let senders = sink.senders ?? core.senders { source.senders = senders }
        result.attach(core, stop: sink.stopWork, users: sink.users)
        beginSeparately(source, into: sink)
    }
}
