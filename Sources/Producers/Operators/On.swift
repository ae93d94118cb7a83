extension SignalProducer {
    /// Runs side effects for the events and the beginning and end of each start.
    ///
    /// Like ``/HotSignals/Signal/on(event:next:error:completed:interrupted:terminated:disposed:)`` of signals,
    /// separately for each start. Nothing is called before a start.
    ///
    /// ```swift
    /// request
    ///     .on(starting: { print("requested") }, error: { print("failed: \($0)") })
    ///     .start()
    /// ```
    ///
    /// For each event, `event` is called first, then the closure for that kind of event, then `terminated`, all before
    /// the event is sent downstream. `disposed` is called last.
    ///
    /// An unlabeled trailing closure that takes an argument is `next`, whatever precedes it:
    /// `request.on(started: { print("requested") }) { print($0) }`.
    ///
    /// - Parameters:
    ///   - starting: Called before the work begins.
    ///   - started: Called when the call that begins the work has returned: after the last event of synchronous work.
    ///   - event: Called with every event.
    ///   - next: Called with each value.
    ///   - error: Called with the error.
    ///   - completed: Called on completion.
    ///   - interrupted: Called on interruption, which includes disposal.
    ///   - terminated: Called on any of the three terminal events, after the closure for its kind.
    ///   - disposed: Called after the observer has received the terminal event, or when an operator downstream has
    ///     released the work.
    @_alwaysEmitIntoClient
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

    /// Accepts an unlabeled closure, which is called with each value.
    @_documentation(visibility: internal)  // The same operator. Without it, the closure would be passed as `event`.
    @_alwaysEmitIntoClient
    public func on(next: @escaping @Sendable (Value) -> Void) -> SignalProducer { on(event: nil, next: next) }

    /// Accepts an unlabeled closure behind others, which is called with each value.
    @_documentation(visibility: internal)  // The same operator. Without it, the closure would be what comes next above.
    @_alwaysEmitIntoClient
    public func on(
        starting: (@Sendable () -> Void)? = nil,
        started: (@Sendable () -> Void)? = nil,
        event: (@Sendable (Event<Value, Failure>) -> Void)? = nil,
        error: (@Sendable (Failure) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil,
        interrupted: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil,
        disposed: (@Sendable () -> Void)? = nil,
        _ next: @escaping @Sendable (Value) -> Void
    ) -> SignalProducer {
        on(
            starting: starting, started: started, event: event, next: next, error: error, completed: completed,
            interrupted: interrupted, terminated: terminated, disposed: disposed)
    }

    @_alwaysEmitIntoClient
    func on(
        _ name: StaticString, starting: (@Sendable () -> Void)?, started: (@Sendable () -> Void)?,
        effects: SideEffects<Value, Failure>, disposed: (@Sendable () -> Void)?
    ) -> SignalProducer {
        SignalProducer(derivedName(name), of: self) { start, downstream in
            if start.isOver { return downstream.end(.interrupted) }
            if let disposed { start.addCleanup(disposed) }
            let sink = OnSink(effects: effects, downstream: downstream)
            starting?()
            beginWork(of: start, into: ProducerSink(erasing: sink, start))
            started?()
        }
    }
}
