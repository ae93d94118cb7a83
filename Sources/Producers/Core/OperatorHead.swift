extension SignalProducer {
    /// Applies an operator whose result needs a gate: others than this producer's work act on it, such as a scheduler or inner streams.
    ///
    /// A start makes the core of the result, whose receiver is the sink downstream, and a run for what is upstream. No signal lies
    /// between.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed: see ``StreamName``.
    ///   - argument: The number in it.
    ///   - scheduler: Where the operator delivers all events, the interruption of a disposal as well.
    ///   - makeSink: The operator: from the core downstream to the sink upstream. Called once a start.
    @inlinable
    package func derive<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0, on scheduler: (any Scheduler)? = nil,
        headed makeSink: @escaping @Sendable (Core<NewValue, NewFailure>) -> S
    ) -> SignalProducer<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        let name = derivedName(name, argument)
        return SignalProducer<NewValue, NewFailure>(name, contention: contention) { run, downstream in
            let core = Core<NewValue, NewFailure>(rootNamed: name, contention: contention, scheduler: scheduler)
            if scheduler == nil { core.adopt(downstream) } else { core.adopt(WantedSink(downstream: downstream)) }
            let sink = makeSink(core)
            let head = OperatorHead(core, stopWork: sink.stopWork)
            if !run.attach(head) {
                if run.hasPassedEnd { return head.cutOff() }
                // Disposed of before it began. A scheduler delivers this interruption, too.
                head.interrupt()
            }
            begin(head.source, sink)
        }
    }
}

/// What stands between a start of an operator's result and the run of what is upstream.
///
/// A disposal interrupts what is upstream, and the result as well: the interruption from upstream may not come, as that may have ended
/// before. This happens at once, or, where a scheduler delivers the events, there, once what is upstream has ended. After the end, when the
/// observer has seen it, the rest is stopped without an event.
@usableFromInline
@_fixed_layout
final class OperatorHead: RunHead {
    /// What serialises the events of the result.
    @usableFromInline let core: SignalCore
    /// Stops what the operator itself does. Made where the type of its sink is known, as a generic method would run unspecialised.
    @usableFromInline let stopWork: @Sendable () -> Void
    /// What is upstream. Counted by itself, as it is cleaned up after whoever waits for the result has seen the end.
    @usableFromInline let source = Run(within: LibraryTask.captured)

    @inlinable
    init(_ core: SignalCore, stopWork: @escaping @Sendable () -> Void) {
        self.core = core
        self.stopWork = stopWork
    }

    @usableFromInline @discardableResult
    func interrupt() -> Bool {
        source.interrupt()
        guard core.schedulerObject == nil else {
            source.observeEnded { [core] in core.interruptOnScheduler() }
            return true
        }
        core.interrupt()
        // It may be busy sending, and the interruption would wait for that.
        stopWork()
        return false
    }

    @usableFromInline
    func cutOff() {
        core.cutOff()
        source.cutOff()
        stopWork()
    }
}
