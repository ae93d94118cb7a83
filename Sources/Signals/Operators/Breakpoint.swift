extension Signal {
    /// Stops the process in a debugger at certain events.
    ///
    /// ```swift
    /// orders.breakpoint(next: { $0.total < 0 }, error: { _ in true })
    /// ```
    ///
    /// The process receives the signal `SIGTRAP` on the thread that sends the event, before the event is sent
    /// downstream. The stack shows the sender. Without a debugger, the process ends. Events are forwarded unchanged.
    ///
    /// - Parameters:
    ///   - next: Whether to stop at a value.
    ///   - error: Whether to stop at an error.
    ///   - completed: Whether to stop at the completion.
    ///   - interrupted: Whether to stop at an interruption.
    public func breakpoint(
        next: (@Sendable (Value) -> Bool)? = nil, error: (@Sendable (Failure) -> Bool)? = nil,
        completed: (@Sendable () -> Bool)? = nil, interrupted: (@Sendable () -> Bool)? = nil
    ) -> Signal {
        on(
            "breakpoint",
            effects: SideEffects(stoppingAtNext: next, error: error, completed: completed, interrupted: interrupted),
            disposed: nil)
    }
}
