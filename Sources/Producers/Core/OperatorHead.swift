extension SignalProducer {
    /// Applies an operator whose result needs a gate: others than this producer's work send into it, such as inner streams.
    ///
    /// A start makes the core of the result, whose receiver is the sink downstream, and a run for what is upstream. No signal lies
    /// between.
    ///
    /// - Parameter makeSink: The operator: from the core downstream to the sink upstream. Called once a start.
    @inlinable
    package func derive<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0,
        headed makeSink: @escaping @Sendable (Core<NewValue, NewFailure>) -> S
    ) -> SignalProducer<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        let name = derivedName(name, argument)
        return SignalProducer<NewValue, NewFailure>(name, contention: contention) { run, downstream in
            let core = Core<NewValue, NewFailure>(rootNamed: name, contention: contention)
            core.adopt(downstream)
            let head = OperatorHead(core, makeSink(core))
            guard run.attach(head) else {
                head.cutOff()
                return downstream.finish(.interrupted)
            }
            begin(head.source, ChainEnd(head.source) { head.sink.receive($0) }.erased)
        }
    }
}

/// The sink of an operator that does work of its own, beside what upstream sends.
@usableFromInline
package protocol WorkingSink: Sink {
    /// Stops that work: the result has ended or is about to. It sends nothing, and never waits.
    func stop()
}

/// What stands between a start of an operator's result and the run of what is upstream.
///
/// A disposal interrupts what is upstream, and the result at once: the interruption from upstream may not come, as that may have ended
/// before. After the end, when the observer has seen it, the rest is stopped without an event.
@usableFromInline
@_fixed_layout
final class OperatorHead<S: WorkingSink>: RunHead {
    /// What serialises the events of the result.
    @usableFromInline let core: SignalCore
    @usableFromInline let sink: S
    /// What is upstream. Counted by itself, as it is cleaned up after whoever waits for the result has seen the end.
    @usableFromInline let source = Run(within: LibraryTask.captured)

    @inlinable
    init(_ core: SignalCore, _ sink: S) {
        self.core = core
        self.sink = sink
    }

    @usableFromInline
    func interrupt() -> Bool {
        source.interrupt()
        core.interrupt()
        // It may be busy sending, and the interruption would wait for that.
        sink.stop()
        return false
    }

    @usableFromInline
    func cutOff() {
        core.cutOff()
        source.cutOff()
        sink.stop()
    }
}
