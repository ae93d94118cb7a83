import HotSignals

extension SignalProducer {
    /// Stops the process in a debugger at certain events of each start.
    ///
    /// Like ``/HotSignals/Signal/breakpoint(next:error:completed:interrupted:)`` of signals.
    ///
    /// - Parameters:
    ///   - next: Whether to stop at a value.
    ///   - error: Whether to stop at an error.
    ///   - completed: Whether to stop at the completion.
    ///   - interrupted: Whether to stop at an interruption, which includes disposal.
    public func breakpoint(
        next: (@Sendable (Value) -> Bool)? = nil, error: (@Sendable (Failure) -> Bool)? = nil,
        completed: (@Sendable () -> Bool)? = nil, interrupted: (@Sendable () -> Bool)? = nil
    ) -> SignalProducer {
        on(
            "breakpoint", starting: nil, started: nil,
            effects: SideEffects(stoppingAtNext: next, error: error, completed: completed, interrupted: interrupted),
            disposed: nil)
    }
}
