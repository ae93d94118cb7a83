extension Signal {
    /// Applies an operator. Returns a signal of the events that the operator's sink sends downstream.
    ///
    /// The new signal shares this signal's gate, so the operator costs no lock.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed: see ``StreamName``.
    ///   - argument: The operator's number.
    ///   - makeSink: Creates the operator's sink from the sink downstream.
    @inlinable
    package func derive<NewValue, NewFailure, S: Sink>(
        _ name: StaticString, argument: Int = 0,
        through makeSink: (CoreSink<NewValue, NewFailure>) -> S
    ) -> Signal<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        let downstream = Core<NewValue, NewFailure>(name: derivedName(name, argument), upstream: core)
        core.attach(SinkReceiver(observation: nil, sink: makeSink(CoreSink(downstream))), downstream: downstream)
        return Signal<NewValue, NewFailure>(core: downstream)
    }

    /// Applies an operator with resources that are disposed of when the new signal ends.
    @inlinable
    package func derive<NewValue, NewFailure, S: Sink>(
        _ name: StaticString, argument: Int = 0,
        through makeSink: (CoreSink<NewValue, NewFailure>, Lifetime) -> S
    ) -> Signal<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        derive(name, argument: argument) { downstream in makeSink(downstream, downstream.core.makeLifetime()) }
    }

    /// Returns a derived signal that has already completed and does not observe this one.
    @_alwaysEmitIntoClient
    package func deriveCompleted(_ name: StaticString, argument: Int) -> Signal {
        Signal(core: Core(name: derivedName(name, argument), upstream: core, isTerminated: true))
    }

    @inlinable
    func derivedName(_ name: StaticString, _ argument: Int) -> StreamName {
        StreamName(name, argument: argument, parent: core)
    }
}
