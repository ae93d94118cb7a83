extension SignalProducer {
    /// Sends what each value is turned into with the help of a state that goes along.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameters:
    ///   - initial: The state before the first value.
    ///   - next: Gets the state and the value, and returns the next state and what to send. Called once a value, whatever the
    ///     number of observers.
    @inlinable
    public func scanMap<State: Sendable, NewValue: Sendable>(
        _ initial: State, _ next: @escaping @Sendable (State, Value) -> (State, NewValue)
    ) -> SignalProducer<NewValue, Failure> {
        scanMap(into: initial) { state, value in
            let (newState, newValue) = next(state, value)
            state = newState
            return newValue
        }
    }

    /// Like ``scanMap(_:_:)``, but changes the state in place.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameters:
    ///   - initial: The state before the first value.
    ///   - next: Changes the state and returns what to send. Called once a value, whatever the number of observers.
    @inlinable
    public func scanMap<State: Sendable, NewValue: Sendable>(
        into initial: State, _ next: @escaping @Sendable (inout State, Value) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        derive("scanMap:") { ScanMapSink(initial: initial, next: next, downstream: $0) }
    }
}
