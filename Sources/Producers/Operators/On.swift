extension SignalProducer {
    /// Runs closures as events pass, and around the start.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. Nothing is called before a start.
    ///
    ///     request
    ///         .on(starting: { print("requested") }, error: { print("failed: \($0)") })
    ///         .start()
    ///
    /// For each event `event` is called first, then the closure of its kind, then `terminated`, all before the event goes
    /// downstream. `disposed` comes after all of them.
    ///
    /// - Parameters:
    ///   - starting: Before the work begins.
    ///   - started: When beginning the work has returned: after the last event of a synchronous one.
    ///   - event: For every event.
    ///   - next: For each value.
    ///   - error: For the error.
    ///   - completed: For the completion.
    ///   - interrupted: For the interruption, which is how disposal shows.
    ///   - terminated: For any terminal event.
    ///   - disposed: When the observer has seen the end, or when something downstream has let go of the work.
    @inlinable
    public func on(
        starting: (@Sendable () -> Void)? = nil,
        started: (@Sendable () -> Void)? = nil,
        event: (@Sendable (Event<Value, Failure>) -> Void)? = nil,
        next: (@Sendable (Value) -> Void)? = nil,
        error: (@Sendable (Failure) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil,
        interrupted: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil,
        disposed: (@Sendable () -> Void)? = nil
    ) -> SignalProducer {
        on(
            "on", starting: starting, started: started,
            effects: SideEffects(
                event: event, next: next,
                end: EndEffects(
                    error: error, completed: completed, interrupted: interrupted, terminated: terminated)),
            disposed: disposed)
    }

    /// A form for a closure without a label, which is taken for the one of the values.
    @_documentation(visibility: internal)  // The same operator: without it, the closure would be the one of all events.
    @inlinable
    public func on(next: @escaping @Sendable (Value) -> Void) -> SignalProducer { on(event: nil, next: next) }

    @inlinable
    func on(
        _ name: StaticString, starting: (@Sendable () -> Void)?, started: (@Sendable () -> Void)?,
        effects: SideEffects<Value, Failure>, disposed: (@Sendable () -> Void)?
    ) -> SignalProducer {
        SignalProducer(derivedName(name), contention: contention) { run, downstream in
            if run.isOver { return downstream.finish(.interrupted) }
            if let disposed { run.cleanUp(disposed) }
            let sink = OnSink(effects: effects, downstream: downstream)
            starting?()
            begin(run, ProducerSink(run) { sink.receive($0) })
            started?()
        }
    }
}
