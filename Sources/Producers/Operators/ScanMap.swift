extension SignalProducer {
    /// Transforms each value with a state that is passed along.
    ///
    /// Like ``/HotSignals/Signal/scanMap(_:_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - initial: The state before the first value.
    ///   - next: Receives the state and the value, and returns the next state and the value to send. Called once per
    ///     value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func scanMap<State: Sendable, NewValue: Sendable>(
        _ initial: State, _ next: @escaping @Sendable (State, Value) -> (State, NewValue)
    ) -> SignalProducer<NewValue, Failure> {
        scanMap(into: initial) { state, value in
            let (newState, newValue) = next(state, value)
            state = newState
            return newValue
        }
    }

    /// Like ``scanMap(_:_:)``, but updates the state in place.
    ///
    /// Like ``/HotSignals/Signal/scanMap(into:_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - initial: The state before the first value.
    ///   - next: Updates the state and returns the value to send. Called once per value, whatever the number of
    ///     observers.
    @_alwaysEmitIntoClient
    public func scanMap<State: Sendable, NewValue: Sendable>(
        into initial: State, _ next: @escaping @Sendable (inout State, Value) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        derive("scanMap:") { ScanMapSink(initial: initial, next: next, downstream: $0) }
    }
}
