extension Signal {
    /// Transforms each value with a state that is passed along.
    ///
    /// Like ``scan(_:_:)``, but the state and the values sent are separate.
    ///
    /// ```marbles
    /// source                                          --a----b----c----|
    /// source.scanMap(0) { ($0 + 1, "\($0)\($1)") }    --<0a>-<1b>-<2c>-|
    /// ```
    ///
    /// - Parameters:
    ///   - initial: The state before the first value.
    ///   - next: Receives the state and the value, and returns the next state and the value to send. Called once per
    ///     value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func scanMap<State: Sendable, NewValue: Sendable>(
        _ initial: State, _ next: @escaping @Sendable (State, Value) -> (State, NewValue)
    ) -> Signal<NewValue, Failure> {
        scanMap(into: initial) { state, value in
            let (newState, newValue) = next(state, value)
            state = newState
            return newValue
        }
    }

    /// Like ``scanMap(_:_:)``, but updates the state in place.
    ///
    /// - Parameters:
    ///   - initial: The state before the first value.
    ///   - next: Updates the state and returns the value to send. Called once per value, whatever the number of
    ///     observers.
    @_alwaysEmitIntoClient
    public func scanMap<State: Sendable, NewValue: Sendable>(
        into initial: State, _ next: @escaping @Sendable (inout State, Value) -> NewValue
    ) -> Signal<NewValue, Failure> {
        derive("scanMap:") { ScanMapSink(initial: initial, next: next, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct ScanMapSink<Value: Sendable, State: Sendable, Downstream: Sink>: OperatorSink {
    @usableFromInline let state: SinkState<State>
    @usableFromInline let transform: @Sendable (inout State, Value) -> Downstream.Value
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(
        initial: State, next: @escaping @Sendable (inout State, Value) -> Downstream.Value, downstream: Downstream
    ) {
        state = SinkState(initial)
        transform = next
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) { downstream.next(transform(&state.value, value)) }
}
