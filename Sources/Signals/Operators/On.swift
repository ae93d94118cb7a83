extension Signal {
    /// Runs side effects for each event, and forwards the events unchanged.
    ///
    /// ```swift
    /// requests.on(next: { metrics.count($0) }, error: { log($0) })
    /// ```
    ///
    /// For each event, `event` runs first, then the closure for that kind of event, then `terminated` if the event is
    /// terminal. After that, the event is sent downstream. `disposed` runs last.
    ///
    /// An unlabeled trailing closure that takes an argument is `next`, whatever precedes it:
    /// `requests.on(completed: { print("done") }) { print($0) }`.
    ///
    /// - Parameters:
    ///   - event: Called with every event.
    ///   - next: Called with each value.
    ///   - error: Called with the error.
    ///   - completed: Called on completion.
    ///   - interrupted: Called on interruption.
    ///   - terminated: Called on any of the three terminal events, after the closure for its kind.
    ///   - disposed: Called once, after a terminal event has been sent downstream, or when the resulting signal is
    ///     neither retained nor observed.
    @_alwaysEmitIntoClient
    public func on(
        event: (@Sendable (Event<Value, Failure>) -> Void)? = nil,
        next: (@Sendable (Value) -> Void)? = nil,
        error: (@Sendable (Failure) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil,
        interrupted: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil,
        disposed: (@Sendable () -> Void)? = nil
    ) -> Signal {
        on(
            "on",
            effects: SideEffects(
                event: event, next: next,
                end: EndEffects(error: error, completed: completed, interrupted: interrupted, terminated: terminated)),
            disposed: disposed)
    }

    /// Accepts an unlabeled closure, which is called with each value.
    @_documentation(visibility: internal)  // The same operator. Without it, the closure would be passed as `event`.
    @_alwaysEmitIntoClient
    public func on(next: @escaping @Sendable (Value) -> Void) -> Signal { on(event: nil, next: next) }

    /// Accepts an unlabeled closure behind others, which is called with each value.
    @_documentation(visibility: internal)  // The same operator. Without it, the closure would be what comes next above.
    @_alwaysEmitIntoClient
    public func on(
        event: (@Sendable (Event<Value, Failure>) -> Void)? = nil,
        error: (@Sendable (Failure) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil,
        interrupted: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil,
        disposed: (@Sendable () -> Void)? = nil,
        _ next: @escaping @Sendable (Value) -> Void
    ) -> Signal {
        on(
            event: event, next: next, error: error, completed: completed, interrupted: interrupted,
            terminated: terminated, disposed: disposed)
    }

    @_alwaysEmitIntoClient
    func on(
        _ name: StaticString, effects: SideEffects<Value, Failure>, disposed: (@Sendable () -> Void)?
    ) -> Signal {
        guard let disposed else { return derive(name) { OnSink(effects: effects, downstream: $0) } }
        return derive(name) { downstream, lifetime in
            lifetime.observeEnded(disposed)
            return OnSink(effects: effects, downstream: downstream)
        }
    }
}

/// The closures of an `on`.
///
/// None of them is optional: a closure in a stored constant of a struct is called without being retained, but one that
/// must be unwrapped is retained.
@frozen @usableFromInline
package struct SideEffects<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let hasEvent: Bool
    @usableFromInline let hasNext: Bool
    @usableFromInline let event: @Sendable (Event<Value, Failure>) -> Void
    @usableFromInline let next: @Sendable (Value) -> Void
    @usableFromInline let end: EndEffects<Failure>

    @_alwaysEmitIntoClient
    package init(
        event: (@Sendable (Event<Value, Failure>) -> Void)?, next: (@Sendable (Value) -> Void)?,
        end: EndEffects<Failure>
    ) {
        hasEvent = event != nil
        hasNext = next != nil
        self.event = event ?? { _ in }
        self.next = next ?? { _ in }
        self.end = end
    }
}

/// The closures of an `on` for terminal events.
@usableFromInline
@_fixed_layout
package final class EndEffects<Failure: Error>: Sendable {
    private let error: (@Sendable (Failure) -> Void)?
    private let completed: (@Sendable () -> Void)?
    private let interrupted: (@Sendable () -> Void)?
    private let terminated: (@Sendable () -> Void)?

    @usableFromInline
    package init(
        error: (@Sendable (Failure) -> Void)?, completed: (@Sendable () -> Void)?,
        interrupted: (@Sendable () -> Void)?, terminated: (@Sendable () -> Void)?
    ) {
        self.error = error
        self.completed = completed
        self.interrupted = interrupted
        self.terminated = terminated
    }

    @usableFromInline
    package func run(_ termination: Termination<Failure>) {
        switch termination {
        case .error(let error): self.error?(error)
        case .completed: completed?()
        case .interrupted: interrupted?()
        }
        terminated?()
    }
}

@frozen @usableFromInline
package struct OnSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let effects: SideEffects<Downstream.Value, Downstream.Failure>
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(effects: SideEffects<Downstream.Value, Downstream.Failure>, downstream: Downstream) {
        self.effects = effects
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        if effects.hasEvent { effects.event(.next(value)) }
        if effects.hasNext { effects.next(value) }
        downstream.next(value)
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        if effects.hasEvent { effects.event(termination.event()) }
        effects.end.run(termination)
        downstream.end(termination)
    }
}
