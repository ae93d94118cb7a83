extension Signal {
    /// Applies a custom operator: see ``StreamOperator``.
    ///
    /// The operator determines what completes, fails or interrupts the result, and what it buffers. It runs on the
    /// sender's thread, once per event, whatever the number of observers.
    ///
    /// ```swift
    /// readings.applying(Median(of: 5), named: "median: #", argument: 5)
    /// ```
    ///
    /// - Parameters:
    ///   - operation: The operator. The result uses its own copy.
    ///   - name: The operator as printed in the result's ``name``. `#` stands for the argument, and `@` for the
    ///     argument as a duration in nanoseconds.
    ///   - argument: The number in the name.
    @_alwaysEmitIntoClient
    public func applying<Operation: StreamOperator>(
        _ operation: Operation, named name: StaticString = "applying", argument: Int = 0
    ) -> Signal<Operation.Output, Operation.OutputFailure>
    where Operation.Input == Value, Operation.InputFailure == Failure {
        derive(name, argument: argument) { OperationSink(operation, OperatorOutput($0)) }
    }
}

/// The sink of a custom operator.
@frozen @usableFromInline
package struct OperationSink<Operation: StreamOperator>: Sink {
    @usableFromInline let state: OperationState<Operation>

    @_alwaysEmitIntoClient
    package init(
        _ operation: Operation, _ output: consuming OperatorOutput<Operation.Output, Operation.OutputFailure>
    ) {
        state = OperationState(operation, output)
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Operation.Input) {
        // An operator that has sent a terminal event receives nothing more.
        if !state.output.hasSentEnd { state.operation.receive(value, to: &state.output) }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Operation.InputFailure>) {
        if state.output.hasSentEnd { return }
        switch termination {
        case .error(let error): state.operation.receiveError(error, to: &state.output)
        case .completed: state.operation.receiveCompleted(to: &state.output)
        case .interrupted: state.operation.receiveInterrupted(to: &state.output)
        }
        // Has no effect if the operator has sent a terminal event. Otherwise the result would never end.
        state.output.sendInterrupted()
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { state.output.hasEnded }
}

/// A running operator and its output. The gate of the source serializes every access, as with a ``SinkState``.
@usableFromInline
@_fixed_layout
package final class OperationState<Operation: StreamOperator>: @unchecked Sendable {
    // Sendable: only the owner of the gate accesses the variables.
    @exclusivity(unchecked) @usableFromInline final var operation: Operation
    @exclusivity(unchecked) @usableFromInline final var output:
        OperatorOutput<Operation.Output, Operation.OutputFailure>

    @_alwaysEmitIntoClient
    init(_ operation: Operation, _ output: consuming OperatorOutput<Operation.Output, Operation.OutputFailure>) {
        self.operation = operation
        self.output = output
    }
}
